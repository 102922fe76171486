import type { Fault } from '@onrush/protocol/problem'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Card } from '../parts/card.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { some } from '../parts/some.ts'
import type { Common } from '../profile/common-form.ts'
import { href } from '../route.ts'
import { CommonFields } from './common-fields.tsx'
import { useStart } from './use-start.ts'

/** What is wrong with a field and with what lies in it, by its path in the request. */
export type FaultsOf = (path: string) => readonly string[]

export interface StartFormProps {
  /** Of what is started: names the call, and the field of a schedule. */
  kind: 'single' | 'simulation'
  body: Readonly<Record<string, unknown>>
  faults: readonly Fault[]
  /** A field that is empty at first, which is no fault before somebody tries to start. */
  emptyAtFirst?: string
  common: Common
  onCommon: (common: Common) => void
  /** What runs, and with which load. */
  children: (faultsOf: FaultsOf) => ComponentChildren
  /** The same run from elsewhere. */
  elsewhere: ComponentChildren
}

const under = (path: string, field: string): boolean =>
  path === field || (path.startsWith(field) && /^[.[]/.test(path.slice(field.length)))

/** A run as a form: what a start says whatever it starts, and the start itself, which nothing invalid passes. */
export function StartForm({ kind, body, faults, emptyAtFirst, common, onCommon, children, elsewhere }: StartFormProps) {
  const [tried, setTried] = useState(false)
  const { start, busy, error } = useStart(`api/${kind}`)
  const faultsOf: FaultsOf = path =>
    path === emptyAtFirst && !tried ? [] : faults.filter(fault => under(fault.path, path)).map(({ message }) => message)
  return (
    <form
      class="form new-run"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        setTried(true)
        if (faults.length === 0) start(body)
      }}
    >
      {children(faultsOf)}
      <Card title="The run">
        <CommonFields common={common} onChange={onCommon} faultsOf={faultsOf} />
        {error !== undefined && <ErrorNotice error={error} />}
        {tried && faults.length > 0 && (
          <p class="field-fault">
            {faults.length === 1 ? 'There is a fault' : `There are ${some(faults.length, 'fault', 'faults')}`} above.
          </p>
        )}
        <div class="actions">
          <button type="submit" class="primary" disabled={busy}>
            {busy ? 'Starting …' : 'Start the run'}
          </button>
          <a class="button" href={href(['schedules'], { starts: JSON.stringify({ [kind]: body }, null, 2) })}>
            Schedule
          </a>
        </div>
      </Card>
      {elsewhere}
    </form>
  )
}

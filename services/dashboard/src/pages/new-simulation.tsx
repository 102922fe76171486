import type { SimulationEntry } from '@onrush/protocol/simulation-entry'
import { useMemo, useState } from 'preact/hooks'
import { usePolled } from '../api/polled.ts'
import { apiUrl } from '../api/request.ts'
import { Card } from '../parts/card.tsx'
import { CommandLine } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { Empty, ErrorNotice, Notice } from '../parts/notice.tsx'
import { Switch } from '../parts/switch.tsx'
import { curlLine, remoteLine } from '../profile/commands.ts'
import { firstCommon } from '../profile/common-form.ts'
import { draftStep } from '../profile/draft.ts'
import { ProfileEditor } from '../profile/editor.tsx'
import { type SimulationForm, simulationRequestOf } from '../profile/simulation-form.ts'
import { href } from '../route.ts'
import { StartForm } from './start-form.tsx'

export interface NewSimulationProps {
  name: string | undefined
  environment: string | undefined
  choose: (name: string) => void
}

const runnable = ({ hash, lastGood }: SimulationEntry) => hash !== undefined || lastGood !== undefined

/** A script under load, as it is or with another environment, other parameters, another load. */
export function NewSimulation({ name, environment, choose }: NewSimulationProps) {
  const { data, error } = usePolled<SimulationEntry[]>('api/simulations', 5000)
  if (data === undefined) return error === undefined ? <p class="loading">Loading …</p> : <ErrorNotice error={error} />
  if (data.length === 0)
    return (
      <Empty title="There are no simulations">
        <p>
          Put one into the reporter's folder (<code>ONRUSH_SIMULATIONS</code>), then compile it on the{' '}
          <a href={href(['simulations'])}>Simulations</a> page.
        </p>
      </Empty>
    )
  const entry = data.find(each => each.name === name) ?? data.find(runnable) ?? data[0]
  return entry === undefined ? null : (
    <Form key={entry.name} entries={data} entry={entry} environment={environment} choose={choose} />
  )
}

interface FormProps {
  entries: readonly SimulationEntry[]
  entry: SimulationEntry
  environment: string | undefined
  choose: (name: string) => void
}

function Form({ entries, entry, environment, choose }: FormProps) {
  const [form, setForm] = useState<SimulationForm>({
    simulation: entry.name,
    environment: environment ?? entry.environments?.[0] ?? '',
    variables: {},
    inject: undefined,
    common: firstCommon,
  })
  const { body, faults } = useMemo(() => simulationRequestOf(form), [form])
  const set = (part: Partial<SimulationForm>) => setForm({ ...form, ...part })
  const parameters = Object.entries(entry.parameters ?? {})
  return (
    <StartForm
      kind="simulation"
      body={body}
      faults={faults}
      common={form.common}
      onCommon={common => set({ common })}
      elsewhere={<Elsewhere body={body} />}
    >
      {faultsOf => (
        <>
          <Card title="The simulation">
            <div class="row">
              <Field label="Simulation">
                <select value={entry.name} onChange={event => choose(event.currentTarget.value)}>
                  {entries.map(each => (
                    <option key={each.name} value={each.name} disabled={!runnable(each)}>
                      {each.name}
                      {runnable(each) ? '' : ' (does not compile)'}
                    </option>
                  ))}
                </select>
              </Field>
              {(entry.environments?.length ?? 0) > 0 && (
                <Field label="Environment">
                  <select value={form.environment} onChange={event => set({ environment: event.currentTarget.value })}>
                    {entry.environments?.map(each => (
                      <option key={each}>{each}</option>
                    ))}
                  </select>
                </Field>
              )}
            </div>
            {entry.description !== undefined && <p class="muted">{entry.description}</p>}
            {entry.hash === undefined && entry.lastGood !== undefined && (
              <Notice kind="invalid">
                Its newest version does not compile; the last good one runs.{' '}
                <a href={href(['simulations', entry.name])}>What is wrong</a>
              </Notice>
            )}
            {parameters.length > 0 && (
              <div class="row">
                {parameters.map(([name, value]) => (
                  <Field key={name} label={name} faults={faultsOf(`$.variables.${name}`)}>
                    <input
                      placeholder={typeof value === 'string' ? value : JSON.stringify(value)}
                      value={form.variables[name] ?? ''}
                      onInput={event => set({ variables: { ...form.variables, [name]: event.currentTarget.value } })}
                    />
                  </Field>
                ))}
              </div>
            )}
          </Card>
          <Card title="The load">
            <label class="check">
              <input
                type="checkbox"
                checked={form.inject !== undefined}
                onChange={event =>
                  set({ inject: event.currentTarget.checked ? [draftStep('constantUsersPerSec')] : undefined })
                }
              />
              Another than the script's own
            </label>
            {form.inject !== undefined && <ProfileEditor steps={form.inject} onChange={inject => set({ inject })} />}
          </Card>
        </>
      )}
    </StartForm>
  )
}

const forms = [
  ['curl', 'curl'],
  ['cli', 'onrush'],
] as const

/** The same run from a terminal or a pipeline. */
function Elsewhere({ body }: { body: Readonly<Record<string, unknown>> }) {
  const [shown, setShown] = useState<(typeof forms)[number][0]>('curl')
  const line = remoteLine(apiUrl('').href.replace(/\/$/, ''), body)
  return (
    <Card
      title="The same from elsewhere"
      tools={<Switch label="Form" options={forms} value={shown} onChange={setShown} />}
    >
      {shown === 'curl' ? (
        <CommandLine text={curlLine(apiUrl('api/simulation').href, body)} what="the curl command" />
      ) : line !== undefined ? (
        <CommandLine text={line} what="the onrush command" />
      ) : (
        <p class="aside">
          The flags of <code>onrush run --remote</code> cannot say all of this; curl can.
        </p>
      )}
    </Card>
  )
}

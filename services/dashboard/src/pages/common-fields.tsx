import type { NodeRecord } from '@onrush/protocol/node'
import { usePolled } from '../api/polled.ts'
import { Field } from '../parts/field.tsx'
import type { Common } from '../profile/common-form.ts'

export interface CommonFieldsProps {
  common: Common
  onChange: (common: Common) => void
  faultsOf: (path: string) => readonly string[]
}

/** Who generates the load, and by what the run is judged. */
export function CommonFields({ common, onChange, faultsOf }: CommonFieldsProps) {
  const workers = usePolled<NodeRecord[]>('api/workers', 5000)
  const alive = workers.data ?? []
  const set = (part: Partial<Common>) => onChange({ ...common, ...part })
  return (
    <>
      <div class="row">
        <Field label="Workers" faults={faultsOf('$.workers')}>
          <select
            value={common.workers}
            onChange={event =>
              set({ workers: choices.find(([each]) => each === event.currentTarget.value)?.[0] ?? 'idle' })
            }
          >
            {choices.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        {common.workers === 'some' && (
          <Field label="How many">
            <input
              class="short"
              inputMode="numeric"
              value={common.howMany}
              onInput={event => set({ howMany: event.currentTarget.value })}
            />
          </Field>
        )}
        {common.workers !== 'these' && (
          <Field label="When a worker is lost">
            <select
              value={common.onWorkerLoss}
              onChange={event =>
                set({ onWorkerLoss: losses.find(([each]) => each === event.currentTarget.value)?.[0] ?? '' })
              }
            >
              {losses.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          </Field>
        )}
      </div>
      {common.workers === 'these' && (
        <fieldset class="choices">
          <legend>These workers</legend>
          {alive.map(({ id, status }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={common.ids.includes(id)}
                onChange={() =>
                  set({ ids: common.ids.includes(id) ? common.ids.filter(each => each !== id) : [...common.ids, id] })
                }
              />
              {id} <span class="muted">{status}</span>
            </label>
          ))}
          {alive.length === 0 && <span class="muted">None is alive.</span>}
        </fieldset>
      )}
      <Field
        label="Thresholds"
        hint="one per line: a metric and a check, in milliseconds"
        faults={faultsOf('$.thresholds')}
      >
        <textarea
          class="mono"
          rows={2}
          placeholder={'duration p(95)<500\nfailed rate<0.01'}
          value={common.thresholds}
          onInput={event => set({ thresholds: event.currentTarget.value })}
        />
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={common.verbose}
          onChange={event => set({ verbose: event.currentTarget.checked })}
        />
        Show requests and responses while it runs
      </label>
    </>
  )
}

const choices = [
  ['idle', 'all that are idle'],
  ['all', 'all, waiting for the busy'],
  ['some', 'a number of them'],
  ['these', 'these'],
] as const

const losses = [
  ['', 'go on without it'],
  ['fail', 'end the run as failed'],
] as const

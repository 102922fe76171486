import { duration } from '@onrush/protocol/figures'
import type { ScheduleEntry } from '@onrush/protocol/schedule-entry'
import { useState } from 'preact/hooks'
import { usePolled } from '../api/polled.ts'
import { post, remove } from '../api/request.ts'
import { Card } from '../parts/card.tsx'
import { AskDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Instant } from '../parts/instant.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { Switch } from '../parts/switch.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { href, useQuery } from '../route.ts'

const what = ({ single, simulation }: ScheduleEntry): string => {
  if (single !== undefined) return `${single.method ?? 'GET'} ${single.url}`
  return typeof simulation?.simulation === 'string' ? simulation.simulation : 'an inline simulation'
}

const when = ({ cron, timezone, everyMs }: ScheduleEntry): string =>
  cron === undefined ? `every ${duration(everyMs ?? 0)}` : `${cron}${timezone === undefined ? ' UTC' : ` ${timezone}`}`

/** Runs that begin by themselves. */
export function SchedulesPage() {
  const schedules = usePolled<ScheduleEntry[]>('api/schedules', 5000)
  const [asking, setAsking] = useState<string>()
  const [failure, setFailure] = useState<Error>()
  const { data, error, again } = schedules
  if (data === undefined) return error === undefined ? <p class="loading">Loading …</p> : <ErrorNotice error={error} />
  const columns: Column<ScheduleEntry>[] = [
    { key: 'id', title: 'schedule', words: true, cell: ({ id }) => id },
    { key: 'what', title: 'starts', words: true, cell: entry => <code>{what(entry)}</code> },
    { key: 'when', title: 'when', words: true, cell: entry => <code>{when(entry)}</code> },
    { key: 'next', title: 'next', words: true, cell: ({ next }) => (next === undefined ? '–' : <Instant at={next} />) },
    {
      key: 'remove',
      title: '',
      cell: ({ id }) => (
        <button type="button" class="quiet danger-text acts" onClick={() => setAsking(id)} aria-label={`Remove ${id}`}>
          Remove
        </button>
      ),
    },
  ]
  return (
    <>
      <header class="page-head">
        <h1>Schedules</h1>
      </header>
      {failure !== undefined && <ErrorNotice error={failure} />}
      <Card title="Scheduled runs">
        {data.length === 0 ? (
          <p class="aside">Nothing is scheduled. Fill in the form below, or choose “Schedule” on a new run.</p>
        ) : (
          <Table label="Schedules" rows={data} columns={columns} keyOf={({ id }) => id} />
        )}
      </Card>
      <div class="acts">
        <NewSchedule done={again} />
      </div>
      {asking !== undefined && (
        <AskDialog
          title={`Remove the schedule ${asking}?`}
          action="Remove"
          onAct={() => {
            remove(`api/schedules/${asking}`).then(again, setFailure)
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>Runs that it has started go on; no new ones begin.</p>
        </AskDialog>
      )}
    </>
  )
}

const example = JSON.stringify({ simulation: { simulation: 'checkout' } }, null, 2)

function NewSchedule({ done }: { done: () => void }) {
  const [given] = useQuery('starts')
  const [id, setId] = useState('')
  const [kind, setKind] = useState<'cron' | 'every'>('cron')
  const [cron, setCron] = useState('0 2 * * *')
  const [timezone, setTimezone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [minutes, setMinutes] = useState('60')
  const [starts, setStarts] = useState(given ?? example)
  const [error, setError] = useState<Error>()
  const save = () => {
    setError(undefined)
    let body: unknown
    try {
      body = JSON.parse(starts)
    } catch (cause) {
      setError(new Error(`What it starts is not JSON: ${cause instanceof Error ? cause.message : cause}`))
      return
    }
    const time = kind === 'cron' ? { cron, timezone } : { everyMs: Math.round(Number(minutes) * 60_000) }
    post('api/schedules', { id, ...time, ...(typeof body === 'object' ? body : {}) })
      .then(() => {
        setId('')
        done()
      })
      .catch(setError)
  }
  return (
    <Card title="New schedule">
      <form
        class="form"
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <Field label="Name" hint="a–z, 0–9 and -">
          <input
            required
            value={id}
            onInput={event => setId(event.currentTarget.value)}
            placeholder="nightly-checkout"
          />
        </Field>
        <div class="row">
          <Switch
            label="When"
            options={[
              ['cron', 'at times'],
              ['every', 'at intervals'],
            ]}
            value={kind}
            onChange={setKind}
          />
          {kind === 'cron' ? (
            <>
              <Field label="Cron line" hint="minute hour day month weekday">
                <input required class="mono" value={cron} onInput={event => setCron(event.currentTarget.value)} />
              </Field>
              <Field label="Time zone">
                <input value={timezone} onInput={event => setTimezone(event.currentTarget.value)} />
              </Field>
            </>
          ) : (
            <Field label="Minutes between starts">
              <input
                required
                type="number"
                min="0.1"
                step="any"
                value={minutes}
                onInput={event => setMinutes(event.currentTarget.value)}
              />
            </Field>
          )}
        </div>
        <Field label="What it starts" hint={'{ "single": … } or { "simulation": … }, as the API takes them'}>
          <textarea class="mono" rows={8} value={starts} onInput={event => setStarts(event.currentTarget.value)} />
        </Field>
        {error !== undefined && <ErrorNotice error={error} />}
        <div class="actions">
          <button type="submit" class="primary">
            Save the schedule
          </button>
          <a class="button" href={href(['new'])}>
            Fill it in as a new run
          </a>
        </div>
      </form>
    </Card>
  )
}

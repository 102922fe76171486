import { bytes, count, duration, latency, plain, rate, share } from '@onrush/protocol/figures'
import type { MetricSummary, Summary } from '@onrush/protocol/summary'
import { Card } from '../parts/card.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { RunView } from './view.ts'

type Group = Summary['groups'][number]
const groupColumns: Column<Group>[] = [
  { key: 'group', title: 'group', words: true, cell: ({ group }) => group },
  { key: 'count', title: 'count', cell: ({ ok, ko }) => count(ok + ko) },
  { key: 'failed', title: 'failed', cell: ({ ko }) => <span class={ko > 0 ? 'failed' : 'muted'}>{count(ko)}</span> },
  ...(['p50', 'p95', 'p99', 'max'] as const).map(
    (statistic): Column<Group> => ({
      key: statistic,
      title: statistic,
      cell: ({ duration: measured }) => (measured === undefined ? '–' : latency(measured[statistic])),
    }),
  ),
]

export function Groups({ view }: { view: RunView }) {
  const groups = view.summary?.groups ?? []
  if (groups.length === 0) return null
  return (
    <Card title="Groups" note="each from its first step to its last">
      <Table
        label="Groups"
        rows={groups}
        columns={groupColumns}
        keyOf={({ scenario, group }) => `${scenario}/${group}`}
      />
    </Card>
  )
}

function metricText({ kind, sum, perSecond, value, hits, total, share: part, values }: MetricSummary): string {
  switch (kind) {
    case 'counter':
      return `${plain(sum ?? 0)}, ${rate(perSecond ?? 0)}`
    case 'gauge':
      return value === undefined ? '–' : plain(value)
    case 'rate':
      return `${share(part ?? 0)}: ${count(hits ?? 0)} of ${count(total ?? 0)}`
    case 'trend':
      return values === undefined
        ? '–'
        : `mean ${plain(values.mean)} · p50 ${plain(values.p50)} · p95 ${plain(values.p95)} · p99 ${plain(values.p99)} · max ${plain(values.max)}`
    default:
      return kind satisfies never
  }
}

const tagsText = ({ tags }: MetricSummary) => tags.map(([name, value]) => `${name}=${value}`).join(' ')
const metricColumns: Column<MetricSummary>[] = [
  {
    key: 'metric',
    title: 'metric',
    words: true,
    cell: metric => (
      <>
        {metric.name} <span class="muted">{tagsText(metric)}</span>
      </>
    ),
  },
  { key: 'kind', title: 'kind', words: true, cell: ({ kind }) => kind },
  { key: 'value', title: 'value', cell: metricText },
]

export function Metrics({ view }: { view: RunView }) {
  const metrics = view.summary?.metrics ?? []
  if (metrics.length === 0) return null
  return (
    <Card title="Custom metrics" note="counted by the script itself">
      <Table
        label="Custom metrics"
        rows={metrics}
        columns={metricColumns}
        keyOf={metric => `${metric.name} ${metric.kind} ${tagsText(metric)}`}
      />
    </Card>
  )
}

const statusText = (status: number) => (status === -1 ? 'others' : String(status))

/** What went over the line: answers by status, parts of a request's time, bytes. */
export function Traffic({ view }: { view: RunView }) {
  const whole = view.summary?.whole
  if (whole === undefined || whole.count === 0) return null
  const parts = (['connect', 'tls', 'firstByte'] as const).flatMap(part => {
    const measured = whole[part]
    return measured === undefined ? [] : [[part === 'firstByte' ? 'first byte' : part, measured] as const]
  })
  return (
    <Card title="Traffic">
      <dl class="facts">
        <dt>answers by status</dt>
        <dd>
          {whole.status.map(({ status, count: times }) => (
            <span key={status} class={`status ${status >= 400 ? 'failed' : ''}`}>
              <code>{statusText(status)}</code> {count(times)}
            </span>
          ))}
        </dd>
        <dt>received · sent</dt>
        <dd>
          {bytes(whole.bytesIn)} · {bytes(whole.bytesOut)}
        </dd>
        {parts.map(([name, measured]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>
              p50 {latency(measured.p50)} · p95 {latency(measured.p95)} · max {latency(measured.max)}{' '}
              <span class="muted">({count(measured.count)} times)</span>
            </dd>
          </>
        ))}
      </dl>
    </Card>
  )
}

const entries = ['planned', 'started', 'dropped', 'cancelled', 'missed', 'finished', 'interrupted'] as const

/** The books of the plan: nothing is lost without being told. */
export function Books({ view }: { view: RunView }) {
  const { books, plan, summary } = view
  if (books.length === 0) return null
  type Row = (typeof books)[number]
  const columns: Column<Row>[] = [
    { key: 'population', title: 'population', words: true, cell: ({ population }) => population },
    {
      key: 'plan',
      title: 'plan',
      words: true,
      cell: ({ population }) => {
        const found = plan.populations.find(({ name }) => name === population)
        if (found === undefined) return ''
        const peak = found.kind === 'open' ? `up to ${rate(found.peak)}` : `up to ${count(found.peak)} at once`
        return `${found.kind}, ${peak}${found.durationMs === null ? '' : `, ${duration(found.durationMs)}`}`
      },
    },
    ...entries.map(
      (entry): Column<Row> => ({
        key: entry,
        title: entry,
        cell: row => (
          <span class={row[entry] > 0 && (entry === 'dropped' || entry === 'missed') ? 'failed' : undefined}>
            {count(row[entry])}
          </span>
        ),
      }),
    ),
    {
      key: 'pass',
      title: 'pass p95',
      hint: 'how long one pass through the scenarios took',
      cell: ({ population }) => {
        const measured = summary?.populations.find(each => each.population === population)?.passDuration
        return measured === undefined ? '–' : latency(measured.p95)
      },
    },
  ]
  return (
    <Card title="Sessions" note="planned = started + dropped + cancelled + missed; started = finished + interrupted">
      <Table label="Sessions" rows={books} columns={columns} keyOf={({ population }) => population} />
    </Card>
  )
}

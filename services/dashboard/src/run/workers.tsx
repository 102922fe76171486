import { count, latency, rate, share } from '@onrush/protocol/figures'
import type { ReportWorker } from '@onrush/protocol/report'
import { Card } from '../parts/card.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { RunView } from './view.ts'

const bad = new Set<ReportWorker['status']>(['failed', 'lost'])

const columns: Column<ReportWorker>[] = [
  {
    key: 'worker',
    title: 'worker',
    words: true,
    cell: ({ id, hostname }) => (
      <>
        {id} {hostname !== id && <span class="muted">{hostname}</span>}
      </>
    ),
  },
  {
    key: 'state',
    title: 'state',
    words: true,
    cell: ({ status, error }) => (
      <span class={bad.has(status) ? 'failed' : undefined}>
        {bad.has(status) ? '✗ ' : ''}
        {status}
        {error !== undefined && `: ${error}`}
      </span>
    ),
  },
  { key: 'threads', title: 'threads', cell: ({ threads }) => count(threads) },
  { key: 'share', title: 'share', hint: 'its part of the whole load', cell: worker => share(worker.share) },
  { key: 'requests', title: 'requests', cell: ({ requests }) => count(requests) },
  { key: 'rate', title: 'rate', hint: 'requests per second', cell: worker => rate(worker.rate) },
  {
    key: 'failed',
    title: 'failed',
    cell: ({ failed }) => <span class={failed > 0 ? 'failed' : 'muted'}>{count(failed)}</span>,
  },
  {
    key: 'lag',
    title: 'lag p99',
    hint: 'how much later than due its requests left',
    cell: ({ lagP99 }) => (lagP99 === undefined ? '–' : latency(lagP99)),
  },
  {
    key: 'busy',
    title: 'busy',
    hint: "how much of the time its threads' event loops were busy",
    cell: ({ utilisation }) => (utilisation === undefined ? '–' : share(utilisation)),
  },
]

export function RunWorkers({ view }: { view: RunView }) {
  const { workers, startSkewMs, reserved } = view
  if (workers.length === 0) {
    if (reserved.length === 0) return null
    return (
      <Card title="Workers" note="reserved for this run">
        <ul class="plain-list">
          {reserved.map(({ id, status, error }) => (
            <li key={id}>
              <b>{id}</b> {status}
              {error !== undefined && <span class="failed">: {error}</span>}
            </li>
          ))}
        </ul>
      </Card>
    )
  }
  const note = startSkewMs === undefined ? undefined : `started within ${latency(startSkewMs)} of each other`
  return (
    <Card id="workers" title="Workers" note={note}>
      <Table label="Workers" rows={workers} columns={columns} keyOf={({ id }) => id} />
    </Card>
  )
}

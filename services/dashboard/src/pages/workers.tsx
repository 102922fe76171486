import { bytes, count } from '@onrush/protocol/figures'
import type { NodeRecord } from '@onrush/protocol/node'
import type { StopAnswer } from '@onrush/protocol/stored-report'
import { useState } from 'preact/hooks'
import { type Polled, usePolled } from '../api/polled.ts'
import { post } from '../api/request.ts'
import { Card } from '../parts/card.tsx'
import { CommandLine } from '../parts/copy.tsx'
import { AskDialog } from '../parts/dialog.tsx'
import { Instant } from '../parts/instant.tsx'
import { Empty, ErrorNotice } from '../parts/notice.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { href } from '../route.ts'

/** Who can generate load, and what each is doing. */
export function WorkersPage() {
  const workers = usePolled<NodeRecord[]>('api/workers', 1500)
  const reporters = usePolled<NodeRecord[]>('api/reporters?list=nodes', 5000)
  const { data, error } = workers
  if (data === undefined) return error === undefined ? <p class="loading">Loading …</p> : <ErrorNotice error={error} />
  const idle = data.filter(({ status }) => status === 'idle').length
  return (
    <>
      <header class="page-head">
        <h1>Workers</h1>
      </header>
      {data.length === 0 ? (
        <NoWorkers />
      ) : (
        <Card title="Workers" note={`${count(data.length)}, ${idle === data.length ? 'all' : count(idle)} idle`}>
          <Nodes nodes={data} polled={workers} />
        </Card>
      )}
      {reporters.data !== undefined && reporters.data.length > 0 && (
        <Card title="Reporters" note="coordinate runs and build reports; any of them serves this page">
          <Table label="Reporters" rows={reporters.data} columns={reporterColumns} keyOf={({ id }) => id} />
        </Card>
      )}
    </>
  )
}

function NoWorkers() {
  return (
    <Empty title="No worker is alive">
      <p>A worker needs nothing but Redis. Start one on any host that reaches the one this reporter uses:</p>
      <CommandLine text="REDIS_URL=redis://host:6379 onrush worker" what="the command that starts a worker" />
    </Empty>
  )
}

function Bar({ part, label }: { part: number; label: string }) {
  return (
    <span class="bar-cell">
      <span class="bar" aria-hidden="true">
        <span style={{ width: `${Math.round(Math.min(1, part) * 100)}%` }} />
      </span>
      {label}
    </span>
  )
}

const name: Column<NodeRecord> = {
  key: 'id',
  title: 'id',
  words: true,
  cell: ({ id, label, hostname, address }) => (
    <>
      {id}
      <small>{[label, hostname].filter(Boolean).join(' · ')}</small>
      <small>
        <code>{address}</code>
      </small>
    </>
  ),
}
const capacity: Column<NodeRecord>[] = [
  {
    key: 'load',
    title: 'load',
    hint: 'how much of its processor cores the process uses',
    words: true,
    cell: ({ load, cores }) => <Bar part={load / cores} label={`${load.toFixed(2)} of ${cores}`} />,
  },
  {
    key: 'memory',
    title: 'memory',
    words: true,
    cell: ({ memory }) => (
      <Bar
        part={memory.total === 0 ? 0 : memory.used / memory.total}
        label={`${bytes(memory.used)} of ${bytes(memory.total)}`}
      />
    ),
  },
]
const about: Column<NodeRecord>[] = [
  { key: 'version', title: 'version', words: true, cell: ({ version }) => version },
  { key: 'since', title: 'since', words: true, cell: ({ startedAt }) => <Instant at={startedAt} /> },
]
const reporterColumns: Column<NodeRecord>[] = [name, ...capacity, ...about]

function Nodes({ nodes, polled }: { nodes: readonly NodeRecord[]; polled: Polled<NodeRecord[]> }) {
  const [asking, setAsking] = useState<NodeRecord>()
  const [error, setError] = useState<Error>()
  const stop = (id: string) => {
    setError(undefined)
    post<StopAnswer>('api/stop', { workers: [id] })
      .then(({ workers }) => {
        const refused = workers.find(worker => worker.error !== undefined)
        if (refused !== undefined) setError(new Error(`${refused.id}: ${refused.error}`))
        polled.again()
      })
      .catch(setError)
  }
  const columns: Column<NodeRecord>[] = [
    name,
    {
      key: 'state',
      title: 'state',
      words: true,
      cell: ({ status, runId }) => (
        <>
          <span class={`word state-${status === 'running' ? 'running' : status}`}>
            <span class="mark" aria-hidden="true">
              {status === 'idle' ? '○' : '●'}
            </span>
            {status}
          </span>
          {runId !== undefined && (
            <small class="whole">
              <a href={href(['runs', runId])}>{runId}</a>
            </small>
          )}
        </>
      ),
    },
    { key: 'threads', title: 'threads', cell: ({ threads }) => count(threads) },
    ...capacity,
    ...about,
    {
      key: 'stop',
      title: '',
      cell: node =>
        node.status !== 'idle' && (
          <button
            type="button"
            class="quiet danger-text acts"
            onClick={() => setAsking(node)}
            aria-label={`Stop ${node.id}`}
          >
            Stop
          </button>
        ),
    },
  ]
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} />}
      <Table label="Workers" rows={nodes} columns={columns} keyOf={({ id }) => id} />
      {asking !== undefined && (
        <AskDialog
          title={`Stop what ${asking.id} runs?`}
          action="Stop its part"
          onAct={() => stop(asking.id)}
          onClose={() => setAsking(undefined)}
        >
          <p>
            Its part of the run ends; the other workers go on, and the report tells what was not run. The worker itself
            stays and is idle then.
          </p>
        </AskDialog>
      )}
    </>
  )
}

import { count, duration, latency, share } from '@onrush/protocol/figures'
import type { Job } from '@onrush/protocol/job'
import type { StoredReport } from '@onrush/protocol/stored-report'
import { useMemo, useState } from 'preact/hooks'
import { usePolled } from '../api/polled.ts'
import { Card } from '../parts/card.tsx'
import { CommandLine } from '../parts/copy.tsx'
import { Instant } from '../parts/instant.tsx'
import { MiddleCut } from '../parts/middle-cut.tsx'
import { Empty, ErrorNotice } from '../parts/notice.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { Switch } from '../parts/switch.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { VerdictWord } from '../parts/verdict.tsx'
import { go, href, useQuery } from '../route.ts'
import { Going } from './going.tsx'

const mostCompared = 5
const atOnce = 100

const filters = [
  ['all', 'all'],
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['invalid', 'invalid'],
] as const
type Filter = (typeof filters)[number][0]

/** What runs, what waits, and what has been. */
export function RunsPage() {
  const jobs = usePolled<Job[]>('api/jobs', 1000)
  const reports = usePolled<StoredReport[]>('api/reporters?list=reports', 4000)
  const [wanted, want] = useQuery('find')
  const [filterText, setFilter] = useQuery('show')
  const filter = filters.find(([each]) => each === filterText)?.[0] ?? 'all'
  const error = jobs.error ?? reports.error
  if (jobs.data === undefined && reports.data === undefined) {
    return error === undefined ? <p class="loading">Loading …</p> : <ErrorNotice error={error} />
  }
  const open = jobs.data ?? []
  // A run that is being gathered may have its report already.
  const going = new Set(open.map(({ runId }) => runId))
  const past = (reports.data ?? []).filter(({ runId }) => !going.has(runId))
  if (open.length === 0 && past.length === 0) return <NoRuns />
  return (
    <>
      <header class="page-head">
        <h1>Runs</h1>
        <div class="actions">
          <a class="button primary acts" href={href(['new'])}>
            New run
          </a>
        </div>
      </header>
      {open.length > 0 && <Going jobs={open} />}
      <Past reports={past} wanted={wanted ?? ''} want={want} filter={filter} setFilter={setFilter} />
    </>
  )
}

function NoRuns() {
  return (
    <Empty title="Nothing has run yet">
      <p>Send load to one address with a few fields:</p>
      <p>
        <a class="button primary acts" href={href(['new'])}>
          New run
        </a>
      </p>
      <p>or from a terminal, against the demo target:</p>
      <CommandLine text="onrush quick http://127.0.0.1:7090/json -q 50 -z 30s" what="the command for a first run" />
    </Empty>
  )
}

/** The oldest is the baseline: a comparison asks what has become of it. */
const oldestFirst = (reports: readonly StoredReport[], chosen: readonly string[]) =>
  reports
    .filter(({ runId }) => chosen.includes(runId))
    .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .map(({ runId }) => runId)

interface PastProps {
  reports: readonly StoredReport[]
  wanted: string
  want: (text: string | undefined) => void
  filter: Filter
  setFilter: (filter: string | undefined) => void
}

function Past({ reports, wanted, want, filter, setFilter }: PastProps) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [most, setMost] = useState(atOnce)
  const found = useMemo(() => {
    const needle = wanted.toLowerCase()
    return reports.filter(
      ({ name, runId, verdict }) =>
        (filter === 'all' || verdict === filter) && `${name} ${runId}`.toLowerCase().includes(needle),
    )
  }, [reports, wanted, filter])
  const toggle = (runId: string) =>
    setChosen(before => (before.includes(runId) ? before.filter(each => each !== runId) : [...before, runId]))
  return (
    <Card
      title="Past runs"
      note={
        found.length === reports.length ? count(reports.length) : `${count(found.length)} of ${count(reports.length)}`
      }
      tools={
        <>
          <input
            type="search"
            placeholder="Search"
            aria-label="Search for a run"
            value={wanted}
            onInput={event => want(event.currentTarget.value || undefined)}
          />
          <Switch
            label="Verdict"
            options={filters}
            value={filter}
            onChange={each => setFilter(each === 'all' ? undefined : each)}
          />
          <button
            type="button"
            disabled={chosen.length < 2 || chosen.length > mostCompared}
            onClick={() => go(href(['compare'], { runs: oldestFirst(reports, chosen).join(',') }))}
            title={chosen.length < 2 ? 'Tick two to five runs first' : undefined}
          >
            Compare{chosen.length > 0 && ` ${chosen.length}`}
          </button>
        </>
      }
    >
      {found.length === 0 ? (
        <p class="aside">{reports.length === 0 ? 'No run has ended yet.' : 'No run is like that.'}</p>
      ) : (
        <Table
          label="Past runs"
          rows={found.slice(0, most)}
          columns={columnsOf(chosen, toggle)}
          keyOf={({ runId }) => runId}
        />
      )}
      {found.length > most && (
        <button type="button" class="quiet" onClick={() => setMost(most + 500)}>
          Show {count(Math.min(500, found.length - most))} more
        </button>
      )}
    </Card>
  )
}

function columnsOf(chosen: readonly string[], toggle: (runId: string) => void): Column<StoredReport>[] {
  return [
    {
      key: 'run',
      title: 'run',
      words: true,
      cell: ({ runId, name }) => (
        <span class="run-cell">
          <input
            type="checkbox"
            aria-label={`Compare ${runId}`}
            checked={chosen.includes(runId)}
            disabled={!chosen.includes(runId) && chosen.length >= mostCompared}
            onChange={() => toggle(runId)}
          />
          <a href={href(['runs', runId])} title={runId}>
            <MiddleCut text={name} />
          </a>
        </span>
      ),
    },
    {
      key: 'verdict',
      title: 'verdict',
      words: true,
      cell: ({ verdict, status }) => (
        <>
          <VerdictWord verdict={verdict} />
          {status !== 'finished' && <small class="muted"> {status === 'failed' ? 'broke off' : status}</small>}
        </>
      ),
    },
    { key: 'started', title: 'started', words: true, cell: ({ startedAt }) => <Instant at={startedAt} /> },
    { key: 'took', title: 'took', cell: ({ elapsedMs }) => duration(elapsedMs) },
    { key: 'requests', title: 'requests', cell: ({ totals }) => count(totals.requests) },
    {
      key: 'failed',
      title: 'failed',
      cell: ({ totals }) => (
        <span class={totals.failed > 0 ? 'failed' : 'muted'}>
          {share(totals.requests === 0 ? 0 : totals.failed / totals.requests)}
        </span>
      ),
    },
    { key: 'p95', title: 'p95', hint: 'from due', cell: ({ p95 }) => (p95 === undefined ? '–' : latency(p95)) },
    {
      key: 'course',
      title: 'requests over time',
      cell: ({ course, name }) => <Sparkline values={course} kind="started" label={`Requests per second of ${name}`} />,
    },
    {
      key: 'again',
      title: '',
      cell: ({ runId, name }) => (
        <a class="quiet acts" href={href(['new'], { again: runId })} aria-label={`Run again: ${name}`}>
          Run again
        </a>
      ),
    },
  ]
}

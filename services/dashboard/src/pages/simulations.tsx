import { count } from '@onrush/protocol/figures'
import type { SimulationEntry } from '@onrush/protocol/simulation-entry'
import { usePolled } from '../api/polled.ts'
import { Card } from '../parts/card.tsx'
import { Instant } from '../parts/instant.tsx'
import { Empty, ErrorNotice } from '../parts/notice.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { VerdictWord } from '../parts/verdict.tsx'
import { href, useQuery } from '../route.ts'
import { CompileConsole } from './compile-console.tsx'

function State({ entry }: { entry: SimulationEntry }) {
  if (entry.status === 'compiling') return <span class="muted">compiling …</span>
  if (entry.status === 'ok') return <VerdictWord verdict="passed">good</VerdictWord>
  return (
    <>
      <VerdictWord verdict="failed">broken</VerdictWord>
      {entry.lastGood !== undefined && <small>the last good version runs</small>}
    </>
  )
}

const columns: Column<SimulationEntry>[] = [
  {
    key: 'name',
    title: 'simulation',
    words: true,
    cell: ({ name, description }) => (
      <>
        <a href={href(['simulations', ...name.split('/')])}>{name}</a>
        {description !== undefined && <small>{description}</small>}
      </>
    ),
  },
  { key: 'state', title: 'state', words: true, cell: entry => <State entry={entry} /> },
  { key: 'scenarios', title: 'scenarios', words: true, cell: ({ scenarios }) => scenarios?.join(', ') ?? '–' },
  { key: 'protocols', title: 'protocols', words: true, cell: ({ protocols }) => protocols?.join(', ') ?? '–' },
  {
    key: 'environments',
    title: 'environments',
    words: true,
    cell: ({ environments }) => environments?.join(', ') || '–',
  },
  {
    key: 'hash',
    title: 'version',
    words: true,
    cell: ({ hash, lastGood }) => <code>{(hash ?? lastGood?.hash ?? '–').slice(0, 10)}</code>,
  },
  { key: 'checked', title: 'compiled', words: true, cell: ({ checkedAt }) => <Instant at={checkedAt} /> },
  {
    key: 'run',
    title: '',
    cell: ({ name, hash, lastGood }) =>
      (hash ?? lastGood) !== undefined && (
        <a class="quiet acts" href={href(['new'], { simulation: name })} aria-label={`Run ${name}`}>
          Run
        </a>
      ),
  },
]

/** The scripts that the reporter knows. */
export function SimulationsPage() {
  const simulations = usePolled<SimulationEntry[]>('api/simulations', 5000)
  const [wanted, want] = useQuery('find')
  const { data, error, again } = simulations
  if (data === undefined) return error === undefined ? <p class="loading">Loading …</p> : <ErrorNotice error={error} />
  const needle = (wanted ?? '').toLowerCase()
  const found = data.filter(({ name, description }) => `${name} ${description ?? ''}`.toLowerCase().includes(needle))
  const broken = data.filter(({ status }) => status === 'failed').length
  return (
    <>
      <header class="page-head">
        <h1>Simulations</h1>
      </header>
      {data.length === 0 ? (
        <Empty title="There are no simulations yet">
          <p>
            They are the files of the reporter's folder (<code>ONRUSH_SIMULATIONS</code>): TypeScript, YAML or JSON.
            This is one:
          </p>
          <pre>{example}</pre>
        </Empty>
      ) : (
        <Card
          title="Known to the reporter"
          note={`${count(data.length)}${broken === 0 ? '' : `, ${count(broken)} broken`}`}
          tools={
            <input
              type="search"
              placeholder="Search"
              aria-label="Search for a simulation"
              value={wanted ?? ''}
              onInput={event => want(event.currentTarget.value || undefined)}
            />
          }
        >
          <Table label="Simulations" rows={found} columns={columns} keyOf={({ name }) => name} />
        </Card>
      )}
      <CompileConsole done={again} />
    </>
  )
}

const example = `description: Three at once
scenarios:
  - name: browse
    inject: [{ type: atOnceUsers, users: 3 }]
    steps:
      - { type: http, name: home, method: GET, url: "http://127.0.0.1:7090/json" }`

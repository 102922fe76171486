import { count, latency, rate, share } from '@onrush/protocol/figures'
import type { Latency, StepSummary, WholeSummary } from '@onrush/protocol/summary'
import { useMemo } from 'preact/hooks'
import { Card } from '../parts/card.tsx'
import { MiddleCut } from '../parts/middle-cut.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { type Column, type Sorting, Table } from '../parts/table.tsx'
import { useQuery } from '../route.ts'
import { useShown } from './course-charts.tsx'
import type { Basis } from './courses.ts'
import { hasSeveral, placeKey, placeName } from './place.ts'
import { isOver, type RunView } from './view.ts'

type Row = StepSummary | WholeSummary
const latencies = ['p50', 'p95', 'p99', 'max'] as const satisfies readonly (keyof Latency)[]

const measureOf = (row: Row, basis: Basis) => (basis === 'due' ? row.duration : row.service)

function figures(basis: Basis): Column<Row>[] {
  return [
    { key: 'count', title: 'count', hint: 'requests', cell: row => count(row.count), by: row => row.count },
    { key: 'rate', title: 'rate', hint: 'requests per second', cell: row => rate(row.rate), by: row => row.rate },
    {
      key: 'failed',
      title: 'failed',
      hint: 'share of the requests that failed',
      cell: row => <span class={row.ko > 0 ? 'failed' : 'muted'}>{share(row.failed)}</span>,
      by: row => row.failed,
    },
    ...latencies.map(
      (statistic): Column<Row> => ({
        key: statistic,
        title: statistic,
        hint: `latency from ${basis}`,
        cell: row => {
          const measured = measureOf(row, basis)
          return measured === undefined ? '–' : latency(measured[statistic])
        },
        by: row => measureOf(row, basis)?.[statistic],
      }),
    ),
  ]
}

function sortingOf(text: string | undefined): Sorting | undefined {
  if (text === undefined) return undefined
  return { key: text.replace(/^-/, ''), falling: text.startsWith('-') }
}

/** Each step; a click on one shows it alone in the charts. */
export function Steps({ view }: { view: RunView }) {
  const { summary, stepSeries, status } = view
  const [chosen, choose] = useQuery('step')
  const [wanted, want] = useQuery('find')
  const [order, setOrder] = useQuery('sort')
  const [shown] = useShown()
  const basis: Basis = shown === 'send' ? 'send' : 'due'
  const steps = summary?.steps ?? []
  const several = hasSeveral(steps)
  const courses = useMemo(() => new Map(stepSeries.map(series => [placeKey(series), series.p95])), [stepSeries])
  const columns = useMemo(
    (): Column<StepSummary>[] => [
      {
        key: 'step',
        title: 'step',
        words: true,
        cell: row => (
          <button type="button" class="plain" aria-pressed={placeKey(row) === chosen}>
            <MiddleCut text={placeName(row, several)} />
            {row.group !== undefined && <small>{row.group}</small>}
          </button>
        ),
        by: row => placeName(row, several),
      },
      ...figures(basis),
      {
        key: 'course',
        title: 'p95 over time',
        cell: row => {
          const values = courses.get(placeKey(row))
          return values === undefined ? '' : <Sparkline values={values} label={`p95 of ${row.step} over time`} />
        },
      },
    ],
    [several, basis, courses, chosen],
  )
  const needle = (wanted ?? '').toLowerCase()
  const rows = useMemo(() => steps.filter(row => placeName(row, true).toLowerCase().includes(needle)), [steps, needle])
  if (summary === undefined) return null
  return (
    <Card
      id="steps"
      title="Steps"
      note={`latency from ${basis}${steps.length > 1 ? '; choose one to see it alone in the charts' : ''}`}
      tools={
        steps.length > 5 && (
          <input
            type="search"
            placeholder="Search"
            aria-label="Search for a step"
            value={wanted ?? ''}
            onInput={event => want(event.currentTarget.value || undefined)}
          />
        )
      }
    >
      {steps.length === 0 ? (
        <p class="aside">{isOver(status) ? 'No request was sent.' : 'No request has ended yet.'}</p>
      ) : (
        <Table
          label="Steps"
          rows={rows}
          columns={columns}
          keyOf={placeKey}
          sorting={sortingOf(order)}
          onSort={({ key, falling }) => setOrder(`${falling ? '-' : ''}${key}`)}
          onChoose={row => choose(placeKey(row) === chosen ? undefined : placeKey(row))}
          chosen={chosen}
          foot={<Whole whole={summary.whole} basis={basis} />}
        />
      )}
    </Card>
  )
}

function Whole({ whole, basis }: { whole: WholeSummary; basis: Basis }) {
  return (
    <tr>
      <th scope="row" class="words">
        all steps
      </th>
      {figures(basis).map(({ key, cell }) => (
        <td key={key}>{cell(whole)}</td>
      ))}
      <td />
    </tr>
  )
}

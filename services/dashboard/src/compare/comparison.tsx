import {
  type Comparison as Compared,
  type ComparedRow,
  compareReports,
  type Difference,
} from '@onrush/protocol/compare-reports'
import { change, latency, rate, share } from '@onrush/protocol/figures'
import type { Report } from '@onrush/protocol/report'
import { useMemo } from 'preact/hooks'
import { Card } from '../parts/card.tsx'
import { Instant } from '../parts/instant.tsx'
import { Notice } from '../parts/notice.tsx'
import { reachable } from '../parts/reachable.ts'
import { VerdictWord } from '../parts/verdict.tsx'
import { OverlaidCharts } from './overlaid-charts.tsx'

const writers = { latency, rate, share } as const
const written = ({ unit }: ComparedRow, value: number | undefined) => (value === undefined ? '–' : writers[unit](value))

export interface ComparisonProps {
  /** The first is the baseline. */
  reports: readonly Report[]
  /** Where a run's own page lies, if anywhere. */
  link?: (runId: string) => string
}

/** Runs side by side: what became worse first, and whether it is more than noise. */
export function Comparison({ reports, link }: ComparisonProps) {
  const compared = useMemo(() => compareReports(reports), [reports])
  return (
    <>
      <Runs reports={reports} link={link} />
      <div class="notices">
        <Sentence compared={compared} />
        {compared.warnings.length > 0 && (
          <Notice kind="invalid">
            Perhaps not comparable:
            <ul class="faults">
              {compared.warnings.map(warning => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
      <OverlaidCharts reports={reports} />
      <Differences compared={compared} />
    </>
  )
}

/** The newest stands left; its number, and with it its colour, stays what it was. */
const newestFirst = <T,>(list: readonly T[]): (readonly [T, number])[] =>
  list.map((each, i) => [each, i] as const).toReversed()

function Runs({ reports, link }: ComparisonProps) {
  return (
    <ol class="compared-runs">
      {newestFirst(reports).map(([{ run, verdict }, i]) => (
        <li key={run.runId} class="card">
          <span class="swatch" style={{ background: `var(--runs-${i + 1})` }} aria-hidden="true" />
          <div>
            <b>{link === undefined ? run.name : <a href={link(run.runId)}>{run.name}</a>}</b>{' '}
            <VerdictWord verdict={verdict} />
            <small>
              {i === 0 ? 'baseline · ' : ''}
              <Instant at={run.startedAt} /> · <code>{run.runId}</code>
            </small>
          </div>
        </li>
      ))}
    </ol>
  )
}

const isWorse = ({ others }: ComparedRow) => others.some(({ worse, beyondNoise }) => worse && beyondNoise === true)
const isBetter = ({ others }: ComparedRow) => others.some(({ worse, beyondNoise }) => !worse && beyondNoise === true)

function Sentence({ compared }: { compared: Compared }) {
  const worse = compared.rows.filter(isWorse)
  const better = compared.rows.filter(row => isBetter(row) && !isWorse(row))
  if (worse.length > 0)
    return (
      <Notice kind="failed">
        {worse.length === 1 ? 'One number has' : `${worse.length} numbers have`} become worse by more than noise:{' '}
        {worse
          .slice(0, 4)
          .map(({ name }) => name)
          .join(', ')}
        {worse.length > 4 && ' …'}
      </Notice>
    )
  if (better.length > 0)
    return (
      <Notice kind="passed">
        Nothing has become worse; {better.length === 1 ? 'one number has' : `${better.length} numbers have`} become
        better.
      </Notice>
    )
  return <Notice kind="passed">No difference is larger than what the runs vary by themselves.</Notice>
}

function meaning({ change: by, beyondNoise, worse }: Difference): { word: string; kind: string } {
  if (by === undefined) return { word: '', kind: 'muted' }
  if (by === 0) return { word: 'same', kind: 'muted' }
  if (beyondNoise === undefined) return { word: 'too short to tell', kind: 'muted' }
  if (!beyondNoise) return { word: 'noise', kind: 'muted' }
  return worse ? { word: '✗ worse', kind: 'failed' } : { word: '✓ better', kind: 'passed' }
}

function Differences({ compared }: { compared: Compared }) {
  return (
    <Card
      title="Differences"
      note="against the baseline; more than noise is more than three standard errors of what each second measured"
    >
      <section class="table-scroll" aria-label="Differences" {...reachable}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="words">
                number
              </th>
              {newestFirst(compared.runs).map(([runId, i]) => (
                <th
                  key={runId}
                  scope="col"
                  colSpan={i === 0 ? 1 : 3}
                  class={i === 0 ? 'divided' : 'words divided'}
                  title={runId}
                >
                  <span class="swatch" style={{ background: `var(--runs-${i + 1})` }} aria-hidden="true" />{' '}
                  {i === 0 ? 'baseline' : `run ${i + 1}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compared.rows.map(row => (
              <tr key={row.name}>
                <th scope="row" class="words">
                  {row.name}
                </th>
                {newestFirst(row.others).map(([other, i]) => (
                  <Cells key={compared.runs[i + 1]} row={row} other={other} />
                ))}
                <td class="divided">{written(row, row.baseline)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

function Cells({ row, other }: { row: ComparedRow; other: Difference }) {
  const { word, kind } = meaning(other)
  const { baseline } = row
  return (
    <>
      <td class="divided">{written(row, other.value)}</td>
      <td class={kind}>
        {baseline === undefined || other.value === undefined || other.change === undefined
          ? ''
          : change(baseline, other.value)}
      </td>
      <td class={`words whole ${kind}`}>{word}</td>
    </>
  )
}

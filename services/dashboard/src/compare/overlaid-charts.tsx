import { latency, rate } from '@onrush/protocol/figures'
import type { Report } from '@onrush/protocol/report'
import type { Point } from '@onrush/protocol/summary'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ChartGroup } from '../chart/group.ts'
import type { Ink } from '../chart/ink.ts'
import type { Line, Value } from '../chart/line.ts'
import { TimeChart } from '../chart/time-chart.tsx'

const inks: readonly Ink[] = ['runs-1', 'runs-2', 'runs-3', 'runs-4', 'runs-5']

/** The runs' seconds laid over each other, each counted from its own start. */
function overlaid(reports: readonly Report[], value: (point: Point) => Value): { xs: number[]; lines: Line[] } {
  const middle = ({ at, span }: Point) => (at + span / 2) / 1000
  const xs = [...new Set(reports.flatMap(({ series }) => series.map(middle)))].sort((a, b) => a - b)
  const lines = reports.map(({ run, series }, i): Line => {
    const values = new Map(series.map(point => [middle(point), value(point) ?? null]))
    return {
      key: `${i} ${run.runId}`,
      label: i === 0 ? 'baseline' : `run ${i + 1}`,
      hint: run.runId,
      ink: inks[i] ?? 'muted',
      values: xs.map(x => values.get(x)),
      // The baseline is what the others are held against, and told apart by more than its colour.
      dashed: i === 0,
    }
  })
  return { xs, lines }
}

export function OverlaidCharts({ reports }: { reports: readonly Report[] }) {
  const [group] = useState(() => new ChartGroup())
  const latencies = useMemo(() => overlaid(reports, ({ duration }) => duration?.p95), [reports])
  const rates = useMemo(() => overlaid(reports, point => point.rate), [reports])
  const failures = useMemo(() => overlaid(reports, ({ failed, span }) => (failed * 1000) / span), [reports])
  const longest = Math.max(1, ...reports.map(({ elapsedMs }) => elapsedMs / 1000))
  useEffect(() => group.setWhole([0, longest]), [group, longest])
  const some = failures.lines.some(({ values }) => values.some(value => (value ?? 0) > 0))
  return (
    <div class="charts">
      <TimeChart
        group={group}
        title="p95 over time"
        note="from due, each run from its own start"
        summary="the p95 of each run over time"
        {...latencies}
        write={latency}
        height={220}
      />
      <TimeChart
        group={group}
        title="Requests"
        note="per second"
        summary="requests per second of each run"
        {...rates}
        write={rate}
        height={160}
      />
      {some && (
        <TimeChart
          group={group}
          title="Failures"
          note="per second"
          summary="failed requests per second of each run"
          {...failures}
          write={rate}
          height={120}
        />
      )}
    </div>
  )
}

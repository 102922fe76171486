import type { Report } from '../report.ts'
import type { Point } from '../summary.ts'

export type Unit = 'latency' | 'rate' | 'share'

/** One number of a run, and what it was in each second: how far it spreads by itself. */
export interface Measure {
  readonly name: string
  readonly unit: Unit
  readonly worse: 'higher' | 'lower'
  readonly value: number | undefined
  readonly samples: readonly number[]
}

/** The last second is seldom whole, and what it measured spreads more than the others. */
function wholePoints({ series }: Report): readonly Point[] {
  return series.length > 2 ? series.slice(0, -1) : series
}

type Quantile = 'p50' | 'p95' | 'p99'

function latencies(report: Report, points: readonly Point[]): Measure[] {
  const wanted: readonly (readonly [string, 'duration' | 'service', Quantile])[] = [
    ['p50 from due', 'duration', 'p50'],
    ['p95 from due', 'duration', 'p95'],
    ['p99 from due', 'duration', 'p99'],
    ['p95 from send', 'service', 'p95'],
  ]
  return wanted.map(([name, metric, quantile]) => ({
    name,
    unit: 'latency',
    worse: 'higher',
    value: report.summary.whole[metric]?.[quantile],
    samples: points.flatMap(point => point[metric]?.[quantile] ?? []),
  }))
}

function steps({ summary, stepSeries }: Report): Measure[] {
  return summary.steps.flatMap(({ scenario, step, duration, failed }): Measure[] => {
    const course = stepSeries.find(each => each.scenario === scenario && each.step === step)
    const name = `${scenario} › ${step}`
    const shares = course?.requests.map((requests, i) => (course.failed[i] ?? 0) / Math.max(1, requests)) ?? []
    return [
      {
        name: `${name}: p95 from due`,
        unit: 'latency',
        worse: 'higher',
        value: duration?.p95,
        samples: course?.p95.flatMap(value => value ?? []) ?? [],
      },
      { name: `${name}: failed`, unit: 'share', worse: 'higher', value: failed, samples: shares },
    ]
  })
}

/** The numbers by which runs are compared. */
export function measuresOf(report: Report): Measure[] {
  const points = wholePoints(report)
  const { whole } = report.summary
  return [
    { name: 'requests', unit: 'rate', worse: 'lower', value: whole.rate, samples: points.map(({ rate }) => rate) },
    {
      name: 'failed',
      unit: 'share',
      worse: 'higher',
      value: whole.failed,
      samples: points.map(({ requests, failed }) => failed / Math.max(1, requests)),
    },
    ...latencies(report, points),
    ...steps(report),
  ]
}

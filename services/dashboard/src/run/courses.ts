import type { ReportPlan, StepSeries } from '@onrush/protocol/report'
import type { Point } from '@onrush/protocol/summary'
import type { Line, Value } from '../chart/line.ts'

export interface Course {
  readonly xs: readonly number[]
  readonly lines: readonly Line[]
}

/** From due: what a user waits. From send: what the target took. */
export type Basis = 'due' | 'send'

/** A point stands in the middle of the time that it covers. */
const middle = ({ at, span }: Pick<Point, 'at' | 'span'>) => (at + span / 2) / 1000
const perSecond = (value: number, span: number) => (value * 1000) / span

/** Columns over their own positions, laid over all positions there are. */
function join(...tables: readonly { xs: readonly number[]; columns: readonly (readonly Value[])[] }[]) {
  const xs = [...new Set(tables.flatMap(table => table.xs))].sort((a, b) => a - b)
  const columns = tables.flatMap(table => {
    const index = new Map(table.xs.map((x, i) => [x, i]))
    return table.columns.map(column =>
      xs.map((x): Value => {
        const i = index.get(x)
        return i === undefined ? undefined : column[i]
      }),
    )
  })
  return { xs, columns }
}

function planned(curve: ReportPlan['rate'], durationMs: number | null) {
  const last = curve.at(-1)
  if (last === undefined) return { xs: [], columns: [[]] }
  const end = Math.max(durationMs ?? last.at, last.at + 1)
  // The last value holds to the end, where the plan falls to nothing.
  const spots = [...curve, { at: end, value: 0 }]
  return { xs: spots.map(({ at }) => at / 1000), columns: [spots.map(({ value }) => value)] }
}

/** What was wanted beside what was: arrivals where the plan is open, sessions at once where it is not. */
export function planCourse(plan: ReportPlan, series: readonly Point[]): Course {
  const open = plan.rate.length > 0
  const closed = plan.users.length > 0
  const { xs, columns } = join(
    planned(plan.rate, plan.durationMs),
    planned(plan.users, plan.durationMs),
    { xs: series.map(middle), columns: [series.map(({ started, span }) => perSecond(started, span))] },
    // Active sessions are counted at the end of a point's time.
    { xs: series.map(({ at, span }) => (at + span) / 1000), columns: [series.map(({ active }) => active)] },
  )
  const [rate = [], users = [], started = [], active = []] = columns
  const side = open ? 'right' : 'left'
  const lines: Line[] = [
    {
      key: 'active',
      label: 'active sessions',
      hint: 'sessions running at once',
      ink: 'accent',
      values: active,
      fillTo: 'ground',
      opacity: 0.12,
      width: 1,
      axis: side,
    },
  ]
  if (closed)
    lines.push({
      key: 'users',
      label: 'sessions wanted',
      hint: 'sessions at once that the plan wants',
      ink: 'wanted',
      values: users,
      stepped: true,
      dashed: true,
      axis: side,
    })
  if (open || !closed)
    lines.push({
      key: 'started',
      label: 'started',
      hint: 'sessions started per second',
      ink: 'started',
      values: started,
      width: 2,
    })
  if (open)
    lines.push({
      key: 'rate',
      label: 'wanted',
      hint: 'arrivals per second that the plan wants',
      ink: 'wanted',
      values: rate,
      stepped: true,
      dashed: true,
    })
  return { xs, lines }
}

const quantiles = ['p99', 'p95', 'p90', 'p50'] as const
const hints = {
  p50: 'half of the requests were faster',
  p90: '90 % of the requests were faster',
  p95: '95 % of the requests were faster',
  p99: '99 % of the requests were faster',
} as const

/** Percentiles over time, each filled down to the next: darker is rarer. */
export function latencyCourse(series: readonly Point[], basis: Basis): Course {
  const measure = basis === 'due' ? 'duration' : 'service'
  return {
    xs: series.map(middle),
    lines: quantiles.map((quantile, i): Line => {
      const next = quantiles[i + 1]
      return {
        key: quantile,
        label: quantile,
        hint: `${hints[quantile]}, counted from ${basis === 'due' ? 'the moment it was due' : 'its sending'}`,
        ink: quantile,
        values: series.map(point => point[measure]?.[quantile] ?? null),
        width: quantile === 'p50' || quantile === 'p90' ? 1 : 1.5,
        opacity: 0.28,
        ...(next === undefined ? {} : { fillTo: next }),
      }
    }),
  }
}

/** Both at once, told apart by dashes: where they part, the generator or a queue in front of the target held requests back. */
export function bothCourse(series: readonly Point[]): Course {
  const line = (basis: Basis, quantile: 'p50' | 'p95' | 'p99'): Line => ({
    key: `${quantile} ${basis}`,
    label: `${quantile} from ${basis}`,
    ink: quantile,
    values: series.map(point => point[basis === 'due' ? 'duration' : 'service']?.[quantile] ?? null),
    dashed: basis === 'due',
  })
  return {
    xs: series.map(middle),
    lines: (['p99', 'p95', 'p50'] as const).flatMap(quantile => [line('due', quantile), line('send', quantile)]),
  }
}

/** Failures lie on top of what succeeded: the upper edge is all requests. */
function stacked(xs: readonly number[], rows: readonly { requests: number; failed: number; span: number }[]): Course {
  const all = rows.map(({ requests, span }) => perSecond(requests, span))
  const ok = rows.map(({ requests, failed, span }) => perSecond(requests - failed, span))
  return {
    xs,
    lines: [
      {
        key: 'failed',
        label: 'failed',
        hint: 'failed requests per second, drawn on top of those that succeeded',
        ink: 'failed',
        values: all,
        said: rows.map(({ failed, span }) => perSecond(failed, span)),
        fillTo: 'ok',
        opacity: 0.55,
        width: rows.some(({ failed }) => failed > 0) ? 1 : 0,
      },
      {
        key: 'ok',
        label: 'succeeded',
        hint: 'requests per second that succeeded',
        ink: 'ok',
        values: ok,
        fillTo: 'ground',
        opacity: 0.25,
      },
    ],
  }
}

export function requestCourse(series: readonly Point[]): Course {
  return stacked(series.map(middle), series)
}

const placesOf = ({ at, span }: StepSeries) => at.map(each => middle({ at: each, span }))

export function stepRequestCourse(step: StepSeries): Course {
  const rows = step.at.map((_, i) => ({
    requests: step.requests[i] ?? 0,
    failed: step.failed[i] ?? 0,
    span: step.span,
  }))
  return stacked(placesOf(step), rows)
}

export function stepLatencyCourse(step: StepSeries): Course {
  return {
    xs: placesOf(step),
    lines: [{ key: 'p95', label: 'p95', hint: hints.p95, ink: 'p95', values: step.p95, fillTo: 'ground' }],
  }
}

/** Seconds to the end of the last point. */
export const lengthOf = (series: readonly Point[]): number => {
  const last = series.at(-1)
  return last === undefined ? 0 : (last.at + last.span) / 1000
}

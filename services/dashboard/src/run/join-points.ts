import type { StepSeries } from '@onrush/protocol/report'
import type { Point } from '@onrush/protocol/summary'

/** New points behind the old; one that covers the time of old ones takes their place. */
export function joinPoints(old: readonly Point[], news: readonly Point[]): readonly Point[] {
  const first = news[0]
  if (first === undefined) return old
  const kept = old.filter(({ at }) => !news.some(point => at >= point.at && at < point.at + point.span))
  return [...kept, ...news].sort((a, b) => a.at - b.at)
}

const keyOf = ({ scenario, step }: StepSeries) => JSON.stringify([scenario, step])

function joinStep(old: StepSeries, news: StepSeries): StepSeries {
  const kept = old.at.flatMap((at, i) => (news.at.some(begin => at >= begin && at < begin + news.span) ? [] : [i]))
  const join = <T>(column: (series: StepSeries) => readonly T[]): T[] => [
    ...kept.flatMap(i => column(old).slice(i, i + 1)),
    ...column(news),
  ]
  return {
    scenario: old.scenario,
    step: old.step,
    span: news.span,
    at: join(({ at }) => at),
    requests: join(({ requests }) => requests),
    failed: join(({ failed }) => failed),
    p95: join(({ p95 }) => p95),
  }
}

/** The same for each step; a wider span means that the monitor has joined neighbours, and then it sends all of them. */
export function joinSteps(old: readonly StepSeries[], news: readonly StepSeries[]): readonly StepSeries[] {
  if (news.length === 0) return old
  const fresh = new Map(news.map(series => [keyOf(series), series]))
  const joined = old.map(series => {
    const more = fresh.get(keyOf(series))
    fresh.delete(keyOf(series))
    return more === undefined ? series : joinStep(series, more)
  })
  return [...joined, ...fresh.values()]
}

import { Histogram } from '@onrush/metrics/histogram'
import type { Totals } from '@onrush/metrics/totals'
import type { Report } from '@onrush/protocol/report'

/** Each further step halves or quarters the distance to 100, as far as anything was measured. */
const percents = [
  1, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92.5, 95, 97.5, 98, 99, 99.5, 99.75, 99.9, 99.95, 99.975, 99.99,
  99.995, 99.999, 100,
]

/** Latencies of all steps together by percentile. */
export function distributionOf(totals: Totals): Report['distribution'] {
  const duration = new Histogram()
  const service = new Histogram()
  for (const { ok, ko } of totals.counts.steps()) {
    for (const outcome of [ok, ko]) {
      duration.add(outcome.duration)
      service.add(outcome.service)
    }
  }
  if (duration.count === 0) return []
  const at = (histogram: Histogram, percentile: number) =>
    histogram.count === 0 ? null : Math.round(histogram.percentile(percentile)) / 1000
  return percents
    .filter(percent => percent === 100 || duration.count * (1 - percent / 100) >= 1)
    .map(percentile => ({ percentile, duration: at(duration, percentile), service: at(service, percentile) }))
}

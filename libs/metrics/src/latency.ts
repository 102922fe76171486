import { type Latency, percentiles } from '@onrush/protocol/summary'
import type { Histogram } from './histogram.ts'

export const toMs = (micros: number) => Math.round(micros) / 1000

/** What people read of a histogram, in milliseconds; nothing when nothing was measured. */
export function latencyOf(histogram: Histogram): Latency | undefined {
  if (histogram.count === 0) return undefined
  const [p50 = 0, p75 = 0, p90 = 0, p95 = 0, p99 = 0, p999 = 0, p9999 = 0] = histogram
    .percentiles(Object.values(percentiles))
    .map(toMs)
  return {
    count: histogram.count,
    min: toMs(histogram.min),
    mean: toMs(histogram.mean),
    stddev: toMs(histogram.stddev),
    max: toMs(histogram.max),
    p50,
    p75,
    p90,
    p95,
    p99,
    p999,
    p9999,
  }
}

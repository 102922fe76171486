import { highestOf } from './buckets.ts'
import type { Histogram } from './histogram.ts'

const ticksPerHalfDistance = 5

/** Each halving of the distance to 100 % gets the same number of lines. */
function nextLevel(level: number): number {
  const ticks = ticksPerHalfDistance * 2 ** (Math.floor(Math.log2(100 / (100 - level))) + 1)
  return level + 100 / ticks
}

function line(micros: number, percent: number, seen: number): string {
  const start = `${(micros / 1000).toFixed(3).padStart(12)} ${(percent / 100).toFixed(12)} ${String(seen).padStart(10)}`
  return percent < 100 ? `${start} ${(1 / (1 - percent / 100)).toFixed(2).padStart(14)}` : start
}

/** HdrHistogram's percentile distribution, values in milliseconds: the text that its plotter and other tools read. */
export function percentileText(histogram: Histogram): string {
  const { count } = histogram
  const lines: string[] = []
  let level = 0
  let seen = 0
  histogram.scan((bucket, times) => {
    seen += times
    const value = Math.min(highestOf(bucket), histogram.max)
    while ((100 * seen) / count >= level) {
      lines.push(line(value, level, seen))
      level = nextLevel(level)
      // All are seen: one line for the level reached, then the last one, of 100 %.
      if (seen >= count) return false
    }
    return true
  })
  if (count > 0) lines.push(line(histogram.max, 100, count))
  const figure = (value: number, digits = 3) => value.toFixed(digits).padStart(12)
  return [
    '       Value     Percentile TotalCount 1/(1-Percentile)',
    '',
    ...lines,
    `#[Mean    = ${figure(histogram.mean / 1000)}, StdDeviation   = ${figure(histogram.stddev / 1000)}]`,
    `#[Max     = ${figure(histogram.max / 1000)}, Total count    = ${figure(count, 0)}]`,
    `#[Buckets = ${figure(22, 0)}, SubBuckets     = ${figure(2048, 0)}]`,
    '',
  ].join('\n')
}

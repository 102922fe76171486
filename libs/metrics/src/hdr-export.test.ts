import { build, HistogramLogReader } from 'hdr-histogram-js'
import { describe, expect, it } from 'vitest'
import { hdrLog } from './hdr-log.ts'
import { Histogram } from './histogram.ts'
import { percentileText } from './percentile-text.ts'

const values = Array.from({ length: 5000 }, (_, i) => 50 + ((i * 7919) % 4000) + (i % 50 === 0 ? 3_000_000 + i : 0))

function ours(): Histogram {
  const histogram = new Histogram()
  for (const value of values) histogram.record(value)
  return histogram
}

function theirs() {
  const histogram = build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: 3_600_000_000,
    numberOfSignificantValueDigits: 3,
  })
  for (const value of values) histogram.recordValue(value)
  return histogram
}

describe('export to HdrHistogram', () => {
  it('writes a log that its reader reads back, bucket by bucket', () => {
    const startedAt = Date.UTC(2026, 0, 2, 3, 4, 5)
    const log = hdrLog(
      [
        { from: 0, to: 1000, histogram: ours() },
        { from: 1000, to: 2000, tag: 'log in, please', histogram: ours() },
        { from: 2000, to: 3000, histogram: new Histogram() },
      ],
      startedAt,
    )
    const reader = new HistogramLogReader(log)
    const oracle = theirs()
    const first = reader.nextIntervalHistogram()
    expect(first?.totalCount).toBe(5000)
    expect(first?.startTimeStampMsec).toBe(startedAt)
    for (const percent of [1, 50, 90, 99, 99.9, 100]) {
      expect(first?.getValueAtPercentile(percent)).toBe(oracle.getValueAtPercentile(percent))
    }
    const second = reader.nextIntervalHistogram()
    expect(second?.tag).toBe('log_in_please')
    expect(second?.totalCount).toBe(5000)
    expect(reader.nextIntervalHistogram()?.totalCount).toBe(0)
    expect(reader.nextIntervalHistogram()).toBeNull()
  })

  it('writes the percentile distribution that HdrHistogram writes, cut to the maximum', () => {
    const histogram = ours()
    const figures = (text: string) =>
      text
        .split('\n')
        .filter(line => /^ *\d/.test(line))
        .map(line => line.trim().split(/\s+/).map(Number))
    const expected = figures(theirs().outputPercentileDistribution(5, 1000)).map(([value = 0, ...rest]) => [
      Math.min(value, histogram.max / 1000),
      ...rest,
    ])
    expect(expected.length).toBeGreaterThan(20)
    expect(figures(percentileText(histogram))).toEqual(expected)
  })

  it('writes a distribution of nothing, too', () => {
    expect(percentileText(new Histogram())).toMatch(/Total count {4}= +0\]/)
  })
})

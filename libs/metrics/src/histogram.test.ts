import fc from 'fast-check'
import { build } from 'hdr-histogram-js'
import { describe, expect, it } from 'vitest'
import { bucketOf, highestMicros, highestOf, lowestOf, toMicros } from './buckets.ts'
import { Histogram } from './histogram.ts'

const percents = [0, 1, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100]
const anyMicros = fc.oneof(
  fc.integer({ min: 0, max: 3000 }),
  fc.integer({ min: 0, max: 10_000_000 }),
  fc.integer({ min: 0, max: highestMicros }),
)

function oracle(values: readonly number[]) {
  const histogram = build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: highestMicros,
    numberOfSignificantValueDigits: 3,
  })
  for (const value of values) histogram.recordValue(value)
  return histogram
}

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram()
  for (const value of values) histogram.record(value)
  return histogram
}

describe('buckets', () => {
  it('holds every value within its own bounds, never wider than a thousandth', () => {
    fc.assert(
      fc.property(anyMicros, value => {
        const bucket = bucketOf(value)
        expect(lowestOf(bucket)).toBeLessThanOrEqual(value)
        expect(highestOf(bucket)).toBeGreaterThanOrEqual(value)
        expect((highestOf(bucket) - lowestOf(bucket)) * 1000).toBeLessThanOrEqual(lowestOf(bucket))
      }),
    )
  })

  it('neighbours touch: no value falls between two buckets, up to the last', () => {
    for (let bucket = 0; bucket < bucketOf(highestMicros); bucket++) {
      expect(lowestOf(bucket + 1)).toBe(highestOf(bucket) + 1)
    }
  })

  it.each([
    [Number.NaN, 0],
    [-5, 0],
    [0.4, 0],
    [0.6, 1],
    [999_999.999_99, 1_000_000],
    [3_599_999_999.7, highestMicros],
    [Number.POSITIVE_INFINITY, highestMicros],
  ])('counts %d µs as %d', (micros, counted) => {
    expect(toMicros(micros)).toBe(counted)
  })
})

describe('a histogram', () => {
  it('says what HdrHistogram says, cut to the measured maximum', () => {
    fc.assert(
      fc.property(fc.array(anyMicros, { minLength: 1, maxLength: 400 }), values => {
        const ours = histogramOf(values)
        const theirs = oracle(values)
        expect(ours.count).toBe(theirs.totalCount)
        expect(ours.max).toBe(Math.max(...values))
        expect(ours.min).toBe(Math.min(...values))
        for (const percent of percents.slice(1)) {
          expect(ours.percentile(percent)).toBe(Math.min(theirs.getValueAtPercentile(percent), ours.max))
        }
        expect(Math.abs(ours.stddev - theirs.stdDeviation)).toBeLessThanOrEqual(theirs.stdDeviation * 1e-9)
      }),
    )
  })

  it('has an exact mean', () => {
    fc.assert(
      fc.property(fc.array(anyMicros, { minLength: 1, maxLength: 400 }), values => {
        expect(histogramOf(values).sum).toBe(values.reduce((sum, value) => sum + value, 0))
      }),
    )
  })

  it('percentiles are within 0.1 % of the sorted values, in order, and never above the maximum', () => {
    fc.assert(
      fc.property(fc.array(anyMicros, { minLength: 1, maxLength: 1000 }), values => {
        const histogram = histogramOf(values)
        const sorted = values.toSorted((a, b) => a - b)
        let last = 0
        for (const percent of percents) {
          const rank = Math.max(1, Math.ceil((percent / 100) * values.length - 1e-9))
          const exact = sorted[rank - 1] ?? Number.NaN
          const found = histogram.percentile(percent)
          expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact / 1000)
          expect(found).toBeGreaterThanOrEqual(last)
          expect(found).toBeLessThanOrEqual(histogram.max)
          last = found
        }
      }),
    )
  })

  it('does not skip a value where the product rounds up', () => {
    expect(histogramOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).percentile(70)).toBe(7)
    expect(histogramOf(Array.from({ length: 1000 }, (_, i) => i + 1)).percentile(99.9)).toBe(999)
  })

  it('answers zeros when it counted nothing', () => {
    const empty = new Histogram()
    expect([empty.percentile(99), empty.mean, empty.stddev, empty.max]).toEqual([0, 0, 0, 0])
  })

  it('counts what lies above a limit', () => {
    expect(histogramOf([1000, 9999, 10_000, 10_020, 20_000]).countAbove(10_000)).toBe(2)
  })
})

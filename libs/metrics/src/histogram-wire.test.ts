import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { highestMicros } from './buckets.ts'
import { Histogram } from './histogram.ts'
import { addEncoded, checkEncoded, decodeHistogram, encodeHistogram } from './histogram-wire.ts'

const anyValues = fc.array(fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: highestMicros })), {
  maxLength: 300,
})

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram()
  for (const value of values) histogram.record(value)
  return histogram
}

describe('a histogram on the wire', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(anyValues, values => {
        const wire = encodeHistogram(histogramOf(values))
        const back = decodeHistogram(JSON.parse(JSON.stringify(wire)))
        expect(encodeHistogram(back)).toEqual(wire)
        expect(back.count).toBe(values.length)
        expect(back.sum).toBe(values.reduce((sum, value) => sum + value, 0))
      }),
    )
  })

  it('adds up the same in any order and any grouping', () => {
    fc.assert(
      fc.property(anyValues, anyValues, anyValues, (a, b, c) => {
        const whole = encodeHistogram(histogramOf([...a, ...b, ...c]))
        const [first, second, third] = [a, b, c].map(histogramOf)
        const left = new Histogram()
        for (const each of [third, first, second]) if (each !== undefined) left.add(each)
        const right = new Histogram()
        for (const each of [b, [...c, ...a]]) addEncoded(right, encodeHistogram(histogramOf(each)))
        expect(encodeHistogram(left)).toEqual(whole)
        expect(encodeHistogram(right)).toEqual(whole)
      }),
    )
  })

  it('keeps counts that a 32-bit word could not hold', () => {
    const histogram = new Histogram()
    histogram.addBucket(7, 2 ** 40 + 3)
    histogram.addBucket(23_551, 2 ** 33)
    histogram.widen(7, highestMicros)
    expect(decodeHistogram(encodeHistogram(histogram)).count).toBe(2 ** 40 + 3 + 2 ** 33)
  })

  it('is small: a second of a usual service takes a few hundred characters', () => {
    const values = Array.from({ length: 1000 }, (_, i) => 20_000 + ((i * 7919) % 5000))
    expect(encodeHistogram(histogramOf(values)).buckets.length).toBeLessThan(700)
  })

  it.each([
    ['ends in the middle', { min: 0, max: 9, sum: 9, buckets: 'Cg' }],
    ['ends between gap and count', { min: 0, max: 9, sum: 9, buckets: 'C' }],
    ['has a character of another alphabet', { min: 0, max: 9, sum: 9, buckets: 'C_' }],
    ['has a character past ASCII', { min: 0, max: 9, sum: 9, buckets: 'Cé' }],
    ['counts nothing', { min: 0, max: 9, sum: 9, buckets: 'CA' }],
    ['runs past the layout', { min: 0, max: 9, sum: 9, buckets: '///////AB' }],
    ['has a sum below its values', { min: 9, max: 9, sum: 8, buckets: 'JB' }],
    ['has extremes that cross', { min: 10, max: 9, sum: 9, buckets: 'JB' }],
  ])('refuses one that %s', (_, wire) => {
    expect(() => checkEncoded(wire)).toThrow(/a histogram in a frame is broken/)
  })

  it('a cut anywhere is refused or decodes to something that is no longer the same', () => {
    const wire = encodeHistogram(histogramOf([3, 5000, 5000, 80_000, 1_000_000]))
    for (let length = 0; length < wire.buckets.length; length++) {
      const cut = { ...wire, buckets: wire.buckets.slice(0, length) }
      let counted = -1
      try {
        counted = decodeHistogram(cut).count
      } catch {
        continue // refused, as it should be
      }
      expect(counted).toBeLessThan(5)
    }
  })
})

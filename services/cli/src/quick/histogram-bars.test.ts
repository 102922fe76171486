import { Histogram } from '@onrush/metrics/histogram'
import { plainSpaces } from '@onrush/protocol/figures'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { painter } from '../terminal/paint.ts'
import { barOf, histogramBars } from './histogram-bars.ts'

const histogramOf = (values: readonly number[]) => {
  const histogram = new Histogram()
  for (const value of values) histogram.record(value)
  return histogram
}
it('shows every value in exactly one line', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3_000_000 }), { minLength: 1, maxLength: 300 }), values => {
      const lines = histogramBars(histogramOf(values), painter(false))
      const numbers = lines.map(line =>
        plainSpaces(line)
          .split(/ {2,}/)
          .filter(part => part !== ''),
      )
      const sum = numbers.reduce((total, parts) => total + Number(parts[1]?.replaceAll(' ', '')), 0)
      expect(sum, lines.join('\n')).toBe(values.length)
    }),
    { numRuns: 50 },
  )
})

it('draws the longest line in full and the rest in proportion', () => {
  expect(barOf(1)).toBe('█'.repeat(40))
  expect(barOf(0.5)).toBe('█'.repeat(20))
  expect(barOf(0.0001)).toBe('▏')
  expect(barOf(0)).toBe('')
})

it('has nothing to show of nothing', () => {
  expect(histogramBars(new Histogram(), painter(false))).toEqual([])
})

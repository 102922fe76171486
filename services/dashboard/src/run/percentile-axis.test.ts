import { expect, it } from 'vitest'
import { nines, percentileAxis } from './percentile-axis.ts'

it.each([
  [0, 0],
  [90, 1],
  [99, 2],
  [99.9, 3],
])('puts %d at %d', (percentile, place) => {
  expect(nines(percentile)).toBeCloseTo(place, 9)
})

it('keeps the largest within its end, and orders all', () => {
  const { xOf, marks } = percentileAxis([1, 50, 90, 99, 99.9, 100])
  const places = [1, 50, 90, 99, 99.9, 100].map(xOf)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places.at(-1)).toBe(1)
  expect(marks).toEqual([0, 50, 75, 90, 99, 99.9])
})

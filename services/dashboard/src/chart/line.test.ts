import { describe, expect, it } from 'vitest'
import { type Line, lastMeasured, nearestIndex, valueAt } from './line.ts'

const line = (values: Line['values'], more: Partial<Line> = {}): Line => ({
  key: 'k',
  label: 'l',
  ink: 'p95',
  values,
  ...more,
})

it.each([
  [[], 3, -1],
  [[1], 3, 0],
  [[0, 10, 20], -5, 0],
  [[0, 10, 20], 4, 0],
  [[0, 10, 20], 6, 1],
  [[0, 10, 20], 99, 2],
])('finds in %j nearest to %d the position %d', (xs, at, index) => {
  expect(nearestIndex(xs, at)).toBe(index)
})

describe('what a line says', () => {
  const xs = [0, 1, 2, 3, 4]

  it.each<[string, Line, number, unknown]>([
    ['its nearest value', line([5, 6, 7, 8, 9]), 2.4, 7],
    ['that nothing was measured there', line([5, 6, null, 8, 9]), 2, null],
    ['its nearest value past positions of other lines', line([5, undefined, undefined, undefined, 9]), 1, 5],
    [
      'of a plan what holds, not what is nearest',
      line([5, undefined, undefined, undefined, 9], { stepped: true }),
      3.9,
      5,
    ],
    ['what was said instead of drawn', line([5, 6, 7, 8, 9], { said: [1, 1, 2, 1, 1] }), 2, 2],
    ['nothing where it has no point', line([undefined, undefined, undefined, undefined, undefined]), 2, undefined],
  ])('is %s', (_, each, at, value) => {
    expect(valueAt(each, xs, at)).toBe(value)
  })

  it('is at rest that of the last measured second, however far a plan goes', () => {
    const plan = line([9, 9, 9, 9, 9], { stepped: true })
    expect(lastMeasured([plan, line([1, 2, null, undefined, undefined])], xs)).toBe(1)
    expect(lastMeasured([plan], xs)).toBeUndefined()
  })
})

import { expect, test } from 'vitest'
import { weighted } from './choose.ts'

test('each gets its share of all draws', () => {
  const pick = weighted([1, 2, 1], ['a', 'b', 'c'])
  const picked = Array.from({ length: 400 }, (_, i) => pick(i / 400))
  expect(['a', 'b', 'c'].map(item => picked.filter(each => each === item).length)).toEqual([100, 200, 100])
  expect(pick(0.999_999_999)).toBe('c')
})

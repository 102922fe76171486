import { expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

it.each([
  [0, 250, 500],
  [1, 500, 1000],
  [3, 2000, 4000],
  [9, 5000, 10_000],
  [2000, 5000, 10_000],
])('waits after %d failed attempts between %d and %d ms', (attempt, least, most) => {
  expect(backoffMs(attempt, () => 0)).toBe(least)
  expect(backoffMs(attempt, () => 1)).toBe(most)
})

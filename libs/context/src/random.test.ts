import { expect, test } from 'vitest'
import { Random } from './random.ts'

test('numbers fill their range evenly, whatever the seed', () => {
  for (const seed of [0, 1, -1, 2 ** 40 + 7, 123456789]) {
    const random = new Random(seed, 3)
    const counts = new Array<number>(10).fill(0)
    for (let i = 0; i < 20_000; i++) {
      const value = random.integer(0, 9)
      counts[value] = (counts[value] ?? 0) + 1
    }
    // Chi-squared with 9 degrees of freedom: 40 is passed by chance less than once in 100,000 seeds.
    expect(counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0)).toBeLessThan(40)
  }
})

test('neighbouring sessions and seeds share nothing', () => {
  const first = new Set<number>()
  for (let seed = 0; seed < 50; seed++)
    for (let session = 0; session < 200; session++) first.add(new Random(seed, session).bits())
  expect(first.size).toBeGreaterThan(9990)
  expect(new Random(2 ** 33, 1).bits()).not.toBe(new Random(0, 1).bits())
})

test('the largest and smallest bounds hold', () => {
  const random = new Random(1, 1)
  for (let i = 0; i < 1000; i++) {
    const value = random.integer(-9_007_199_254_740_991, 9_007_199_254_740_991)
    expect(Number.isSafeInteger(value)).toBe(true)
    expect(random.integer(5, 5)).toBe(5)
    const fraction = random.float()
    expect(fraction >= 0 && fraction < 1).toBe(true)
  }
})

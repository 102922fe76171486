import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chance } from './chance.ts'

const failures = (seed: number, rate: number, n: number) => {
  let count = 0
  for (let i = 1; i <= n; i++) if (chance(seed, i) < rate) count++
  return count
}

describe('chance', () => {
  it('hits a rate closely for any seed', () => {
    // 10,000 draws have a standard deviation of at most 50; six of them leave no seed out.
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), fc.integer({ min: 0, max: 100 }), (seed, percent) => {
        expect(Math.abs(failures(seed, percent / 100, 10_000) - percent * 100)).toBeLessThan(300)
      }),
      { numRuns: 50 },
    )
  })

  it('never fails at 0 and always at 1', () => {
    expect(failures(1, 0, 1000)).toBe(0)
    expect(failures(1, 1, 1000)).toBe(1000)
  })
})

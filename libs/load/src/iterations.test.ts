import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdingOf } from './holding.ts'
import { iterationPool, sessionNumber } from './iterations.ts'
import { OwnedCursor } from './owned-cursor.ts'
import { split } from './random-profiles.testing.ts'
import { dealShares } from './share.ts'

const pools = (plan: { iterations: number; users: number }, weights: number[], threads: number) =>
  dealShares(weights).flatMap(share =>
    Array.from({ length: threads }, (_, thread) =>
      iterationPool(plan, new OwnedCursor(holdingOf(share), { thread, threads }, 0)),
    ),
  )

test('ten sessions over three users on two workers: who owns the user runs its sessions', () => {
  const [even, odd] = pools({ iterations: 10, users: 3 }, [1, 1], 1)
  expect([even?.users, even?.total]).toEqual([2, 7])
  expect(Array.from({ length: 8 }, (_, k) => even?.sessionAt(k))).toEqual([
    1,
    3,
    4,
    6,
    7,
    9,
    10,
    Number.POSITIVE_INFINITY,
  ])
  expect(Array.from({ length: 4 }, (_, k) => odd?.sessionAt(k))).toEqual([2, 5, 8, Number.POSITIVE_INFINITY])
})

test('a slice without users has no sessions, and a user without sessions is not started', () => {
  expect(pools({ iterations: 5, users: 1 }, [1, 1, 1], 1).map(pool => [pool.users, pool.total])).toEqual([
    [1, 5],
    [0, 0],
    [0, 0],
  ])
  expect(pools({ iterations: 2, users: 5 }, [1], 1).map(pool => [pool.users, pool.total])).toEqual([[2, 2]])
})

test('any split: every session once, and nobody has users it may not use', () => {
  const plan = fc.record({ iterations: fc.integer({ min: 1, max: 800 }), users: fc.integer({ min: 1, max: 200 }) })
  fc.assert(
    fc.property(plan, split, (plan, { weights, threads }) => {
      const all = pools(plan, weights, threads)
      const sessions = all.flatMap(pool => Array.from({ length: pool.total }, (_, k) => pool.sessionAt(k)))
      expect(sessions.sort((a, b) => a - b)).toEqual(Array.from({ length: plan.iterations }, (_, i) => i + 1))
      expect(all.reduce((sum, pool) => sum + pool.users, 0)).toBe(Math.min(plan.users, plan.iterations))
    }),
    { numRuns: 60 },
  )
})

test('sessions of users who go each at their own speed never share a number', () => {
  const numbers = [0, 1, 2].flatMap(user => [0, 1, 2, 3].map(pass => sessionNumber(user, pass, 3)))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
})

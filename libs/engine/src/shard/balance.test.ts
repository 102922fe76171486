import { dealShares, wholeShare } from '@onrush/load/share'
import type { Population } from '@onrush/protocol/plan'
import { describe, expect, test } from 'vitest'
import { balance } from './balance.ts'
import { PlannedArrivals } from './planned-arrivals.ts'

const populations: Population[] = [
  { name: 'open', scenarios: ['a'], inject: [{ type: 'constantUsersPerSec', rate: 10, duration: '10s' }] },
  { name: 'closed', scenarios: ['b'], inject: [{ type: 'constantConcurrentUsers', users: 5, duration: '20s' }] },
  { name: 'fixed', scenarios: ['c'], inject: [{ type: 'iterations', iterations: 33, users: 4 }] },
]
const wire = (share: typeof wholeShare): [number, number, number][] => share.map(([a, b, c]) => [a, b, c])
const plan = { populations, seed: 1, share: wire(wholeShare) }

describe('what is planned', () => {
  test('of all shards is the whole', () => {
    const shards = dealShares([3, 1, 2]).map(share => new PlannedArrivals({ ...plan, share: wire(share) }))
    for (const name of ['open', 'fixed']) {
      const sum = shards.reduce((all, shard) => all + (shard.of(name) ?? 0), 0)
      expect(sum).toBe(new PlannedArrivals(plan).of(name))
    }
    expect(new PlannedArrivals(plan).of('open')).toBe(100)
    expect(new PlannedArrivals(plan).of('fixed')).toBe(33)
    expect(new PlannedArrivals(plan).of('closed')).toBeUndefined()
  })

  test('moves with its owner', () => {
    const planned = new PlannedArrivals({ ...plan, share: wire(wholeShare) })
    planned.reassign([], 5000)
    expect(planned.of('open')).toBe(50)
  })
})

describe('the books', () => {
  const counted = (population: string, more: object) => ({
    population,
    started: 0,
    finished: 0,
    interrupted: 0,
    dropped: 0,
    late: 0,
    cancelled: 0,
    ...more,
  })
  const all = [
    counted('open', { started: 90, finished: 80, interrupted: 10, dropped: 4, cancelled: 6 }),
    counted('closed', { started: 7, finished: 7 }),
    counted('fixed', { started: 33, finished: 33 }),
  ]

  test('balance when everything is accounted for', () => {
    expect(balance(new PlannedArrivals(plan), all, false).imbalances).toEqual([])
  })

  test('of a thread that died have arrivals that were missed; without one they are wrong', () => {
    const some = all.map(row => (row.population === 'open' ? { ...row, started: 40, finished: 30 } : row))
    const { books, imbalances } = balance(new PlannedArrivals(plan), some, true)
    expect(imbalances).toEqual([])
    expect(books[0]?.missed).toBe(50)
    expect(balance(new PlannedArrivals(plan), some, false).imbalances).toEqual([
      expect.stringContaining('open: planned'),
    ])
  })
})

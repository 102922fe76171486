import { dealShares } from '@onrush/load/share'
import { checkBooks } from '@onrush/metrics/books'
import type { Frame } from '@onrush/protocol/frame'
import type { Population } from '@onrush/protocol/plan'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lostBooks } from './lost-books.ts'

const populations: Population[] = [
  { name: 'open', scenarios: ['a'], inject: [{ type: 'rampUsersPerSec', from: 1, to: 50, duration: '20s' }] },
  {
    name: 'poisson',
    scenarios: ['a'],
    arrivals: 'poisson',
    inject: [{ type: 'rampUsers', users: 313, duration: '9s' }],
  },
  { name: 'iterations', scenarios: ['a'], inject: [{ type: 'iterations', iterations: 101, users: 7 }] },
  { name: 'closed', scenarios: ['a'], inject: [{ type: 'constantConcurrentUsers', users: 5, duration: '9s' }] },
]

function frame(second: number, counts: { started: number; finished: number }): Frame {
  const { started, finished } = counts
  const none = { interrupted: 0, dropped: 0, late: 0, cancelled: 0 }
  return {
    v: 1,
    run: 'r',
    covers: [['w', [[second, second]]]],
    from: second - 1,
    to: second,
    counts: {
      steps: [],
      groups: [],
      populations: ['open', 'closed'].map(population => ({ population, started, finished, ...none })),
      generator: {},
      metrics: [],
      samples: [],
    },
  }
}

it('books as missed what a share held beyond what was counted', () => {
  const frames = [frame(1, { started: 10, finished: 4 }), frame(2, { started: 20, finished: 20 })]
  const [open, poisson, iterations, closed] = lostBooks(populations, [[0, 1, 27_720]], 1, frames)
  const none = { dropped: 0, cancelled: 0 }
  expect(open).toEqual({
    population: 'open',
    planned: 510,
    started: 30,
    missed: 480,
    finished: 24,
    interrupted: 6,
    ...none,
  })
  expect(poisson).toMatchObject({ planned: 313, missed: 313 })
  expect(iterations).toMatchObject({ planned: 101, missed: 101 })
  // Nobody can say how many sessions closed users would have begun.
  expect(closed).toMatchObject({ planned: 30, started: 30, missed: 0 })
})

it('balances, and over all shares adds up to the whole plan', () => {
  const weights = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 9 })
    .filter(all => all.some(Boolean))
  fc.assert(
    fc.property(weights, fc.nat(1000), (dealt, seed) => {
      const books = dealShares(dealt).map(share => lostBooks(populations, share, seed, []))
      expect(books.flat().flatMap(checkBooks)).toEqual([])
      const planned = (name: string) =>
        books.flat().reduce((sum, book) => sum + (book.population === name ? book.planned : 0), 0)
      expect(['open', 'poisson', 'iterations'].map(planned)).toEqual([510, 313, 101])
    }),
    { numRuns: 50 },
  )
})

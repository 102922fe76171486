import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feederOrder } from './feeder-order.ts'
import { holdingOf } from './holding.ts'
import { OwnedCursor } from './owned-cursor.ts'
import { permutation } from './permutation.ts'
import { split } from './random-profiles.testing.ts'
import { dealShares } from './share.ts'

const rowsOf = (feed: Parameters<typeof feederOrder>[0], rows: number, sessions: number, seed = 1) => {
  const order = feederOrder(feed, rows, seed)
  return Array.from({ length: sessions }, (_, i) => order.rowOf(i + 1))
}

describe('which row a session uses', () => {
  test.each<{ why: string; feed: Parameters<typeof feederOrder>[0]; rows: number; expected: (number | undefined)[] }>([
    { why: 'in order, and round again', feed: {}, rows: 3, expected: [0, 1, 2, 0, 1, 2, 0] },
    {
      why: 'unique rows end the sessions when they are used up',
      feed: { share: 'unique' },
      rows: 3,
      expected: [0, 1, 2, undefined, undefined],
    },
    {
      why: 'or begin again, if so asked',
      feed: { share: 'unique', whenEmpty: 'wrap' },
      rows: 2,
      expected: [0, 1, 0, 1],
    },
    {
      why: 'whenEmpty says nothing about rows that go round',
      feed: { share: 'circular', whenEmpty: 'stop' },
      rows: 2,
      expected: [0, 1, 0],
    },
    { why: 'one row is the same in any order', feed: { order: 'shuffle' }, rows: 1, expected: [0, 0, 0] },
    { why: 'without rows nobody gets one', feed: {}, rows: 0, expected: [undefined, undefined] },
  ])('$why', ({ feed, rows, expected }) => {
    expect(rowsOf(feed, rows, expected.length)).toEqual(expected)
  })

  test('shuffled rows come once each time through, in another order each time and for each seed', () => {
    const twice = rowsOf({ order: 'shuffle' }, 1000, 2000)
    const [first, second] = [twice.slice(0, 1000), twice.slice(1000)]
    for (const pass of [first, second]) expect(new Set(pass).size).toBe(1000)
    expect(first).not.toEqual(second)
    expect(rowsOf({ order: 'shuffle' }, 1000, 1000, 2)).not.toEqual(first)
    expect(rowsOf({ order: 'shuffle' }, 1000, 1000)).toEqual(first)
  })

  test('random rows are drawn evenly', () => {
    const counts = new Array<number>(20).fill(0)
    for (const row of rowsOf({ order: 'random' }, 20, 100_000)) counts[row ?? 0] = (counts[row ?? 0] ?? 0) + 1
    // χ² with 19 degrees of freedom: above 43.8 once in a thousand.
    expect(counts.reduce((sum, count) => sum + (count - 5000) ** 2 / 5000, 0)).toBeLessThan(43.8)
  })

  test('unique rows are used once each over any split, whichever slice asks', () => {
    fc.assert(
      fc.property(
        split,
        fc.integer({ min: 1, max: 700 }),
        fc.nat(),
        fc.constantFrom('sequential' as const, 'shuffle' as const),
        ({ weights, threads }, rows, seed, order) => {
          const used: (number | undefined)[] = []
          for (const share of dealShares(weights)) {
            for (let thread = 0; thread < threads; thread++) {
              const cursor = new OwnedCursor(holdingOf(share), { thread, threads }, 1)
              const feeder = feederOrder({ order, share: 'unique' }, rows, seed)
              while (cursor.peek() <= rows + 50) used.push(feeder.rowOf(cursor.next()))
            }
          }
          expect(used.filter(row => row === undefined)).toHaveLength(50)
          const rowsUsed = used.filter(row => row !== undefined).sort((a, b) => a - b)
          expect(rowsUsed).toEqual(Array.from({ length: rows }, (_, row) => row))
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('the permutation', () => {
  test('is one, at every size', () => {
    for (const size of [0, 1, 2, 3, 4, 5, 15, 16, 17, 255, 256, 257, 5000, 65_537]) {
      const place = permutation(size, 42)
      expect(new Set(Array.from({ length: size }, (_, i) => place(i))).size).toBe(size)
      for (let i = 0; i < size; i++) expect(place(i)).toBeLessThan(size)
    }
  })

  test('holds for more rows than memory would', () => {
    const place = permutation(5_000_000_000, 7)
    const places = Array.from({ length: 2000 }, (_, i) => place(i))
    expect(new Set(places).size).toBe(2000)
    expect(Math.max(...places)).toBeLessThan(5_000_000_000)
    expect(Math.max(...places)).toBeGreaterThan(4_900_000_000)
  })

  test.each([2, 3, 5, 10])('over many seeds every row of %d comes first equally often', size => {
    const counts = new Array<number>(size).fill(0)
    for (let seed = 0; seed < 20_000; seed++) {
      const row = permutation(size, seed)(0)
      counts[row] = (counts[row] ?? 0) + 1
    }
    const expected = 20_000 / size
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    expect(chiSquare).toBeLessThan(27.9) // 9 degrees of freedom at most: once in a thousand
  })

  test('neighbours do not stay neighbours', () => {
    const place = permutation(10_000, 3)
    let near = 0
    for (let i = 1; i < 10_000; i++) if (Math.abs(place(i) - place(i - 1)) <= 5) near++
    expect(near).toBeLessThan(30) // ten are expected
  })
})

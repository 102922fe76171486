import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currentShare, type Holding, holdingOf, transfer } from './holding.ts'
import { OwnedCursor } from './owned-cursor.ts'
import { classes, classesOf, dealShare, dealShares, type Share, strides } from './share.ts'

const alone = { thread: 0, threads: 1 }

function takeTo(cursor: OwnedCursor, last: number): number[] {
  const taken: number[] = []
  while (cursor.peek() <= last) taken.push(cursor.next())
  return taken
}
const slices = (holding: Holding, threads: number, from = 0): OwnedCursor[] =>
  Array.from({ length: threads }, (_, thread) => new OwnedCursor(holding, { thread, threads }, from))
const sorted = (numbers: number[]): number[] => numbers.sort((a, b) => a - b)
const upTo = (last: number, from = 1): number[] => Array.from({ length: last - from + 1 }, (_, i) => from + i)

describe('one slice', () => {
  test.each<{ why: string; share: Share; thread: number; threads: number; from: number; first: number[] }>([
    {
      why: 'alone, it owns every number',
      share: strides(upTo(classes - 1, 0)),
      thread: 0,
      threads: 1,
      from: 1,
      first: [1, 2, 3, 4],
    },
    { why: 'users are counted from 0', share: [[0, 3, 9240]], thread: 0, threads: 1, from: 0, first: [0, 3, 6, 9] },
    {
      why: 'the k-th owned number goes to thread k mod threads',
      share: [[0, 3, 9240]],
      thread: 1,
      threads: 2,
      from: 0,
      first: [3, 9, 15, 21],
    },
    {
      why: 'a class comes round after 27720 numbers',
      share: [[5, 1, 1]],
      thread: 0,
      threads: 1,
      from: 0,
      first: [5, 27725, 55445],
    },
    {
      why: 'it can start anywhere',
      share: [[5, 1, 1]],
      thread: 0,
      threads: 1,
      from: 5_000_000_000,
      first: [5_000_022_725],
    },
    {
      why: 'without classes there is nothing',
      share: [],
      thread: 0,
      threads: 1,
      from: 0,
      first: [Number.POSITIVE_INFINITY],
    },
  ])('$why', ({ share, thread, threads, from, first }) => {
    const cursor = new OwnedCursor(holdingOf(share), { thread, threads }, from)
    expect(first.map(() => cursor.next())).toEqual(first)
  })

  test('counting and stepping agree, and the k-th is the inverse of the count', () => {
    for (const cursor of slices(transfer(holdingOf([[1, 4, 6930]]), [], [[5, 8, 3465]], 500).from, 3)) {
      const taken = takeTo(cursor, 3000)
      expect(cursor.countBelow(3001)).toBe(taken.length)
      expect(cursor.countIn(500, 3000)).toBe(taken.filter(n => n > 500).length)
      expect(taken.map((_, k) => cursor.at(k))).toEqual(taken)
    }
  })

  test('threads have equal parts, of shares of any shape', () => {
    for (const share of dealShares([1, 2, 5])) {
      const parts = slices(holdingOf(share), 7, 1).map(cursor => takeTo(cursor, 100_000).length)
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
    }
  })
})

describe('ownership that changes', () => {
  test('at a number: before it the old owner, after it the new one, and the rest stay where they are', () => {
    const [a = [], b = []] = dealShares([1, 1])
    const change = transfer(holdingOf(a), holdingOf(b), [[0, 4, 6930]], 10)
    expect(takeTo(new OwnedCursor(change.from, alone, 0), 20)).toEqual([0, 2, 4, 6, 8, 10, 14, 18])
    expect(takeTo(new OwnedCursor(change.to, alone, 0), 20)).toEqual([1, 3, 5, 7, 9, 11, 12, 13, 15, 16, 17, 19, 20])
    expect(classesOf(currentShare(change.to)).length).toBe(13_860 + 6930)
  })

  test('threads that had what they had before keep it when the shard gains more', () => {
    const [a = [], b = []] = dealShares([1, 1])
    const before = slices(holdingOf(b), 3, 1).map(cursor => takeTo(cursor, 200))
    const after = slices(transfer(holdingOf(a), holdingOf(b), a, 50).to, 3, 1).map(cursor => takeTo(cursor, 200))
    before.forEach((numbers, thread) => {
      expect(after[thread]?.filter(n => n % 2 === 1)).toEqual(numbers)
    })
  })

  test('the users of a lost worker go to the others, every one to one thread', () => {
    const [a = [], b = [], lost = []] = dealShares([1, 1, 1])
    const gains = dealShare(lost, [1, 1])
    const users = [a, b].flatMap((share, i) => {
      const cursors = slices(holdingOf(share), 2)
      const going = cursors.flatMap(cursor => takeTo(cursor, 99))
      const { to } = transfer(holdingOf(lost), holdingOf(share), gains[i] ?? [], -1)
      for (const cursor of cursors) cursor.revise(to)
      return [...going, ...cursors.flatMap(cursor => takeTo(cursor, 99))]
    })
    expect(sorted(users)).toEqual(upTo(99, 0))
    expect(new OwnedCursor(transfer(holdingOf(lost), [], lost, -1).from, alone, 0).peek()).toBe(Infinity)
  })

  test('news of a gain that comes late is made up for: what is due already comes at once, nothing twice', () => {
    const [a = [], b = []] = dealShares([1, 1])
    const change = transfer(holdingOf(a), holdingOf(b), a, 10)
    const cursor = new OwnedCursor(holdingOf(b), { thread: 0, threads: 1 }, 1)
    const taken = takeTo(cursor, 30)
    cursor.revise(change.to)
    taken.push(...takeTo(cursor, 40))
    expect(sorted(taken)).toEqual([1, 3, 5, 7, 9, ...upTo(40, 11)])
  })

  test('any split, moved again and again while it runs: every number once, in one slice', () => {
    const plan = fc.record({
      weights: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 12 }),
      threads: fc.integer({ min: 1, max: 5 }),
      moves: fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 999 }),
          from: fc.nat(),
          to: fc.nat(),
          take: fc.integer({ min: 1, max: 5 }),
        }),
        { maxLength: 5 },
      ),
    })
    fc.assert(
      fc.property(plan, ({ weights, threads, moves }) => {
        let holdings = dealShares(weights).map(holdingOf)
        const cursors = holdings.map(holding => slices(holding, threads, 1))
        const taken: number[] = []
        for (const { at, from, to, take } of moves.toSorted((a, b) => a.at - b.at)) {
          const [giver, gainer] = [from % weights.length, to % weights.length]
          if (giver === gainer) continue
          for (const cursor of cursors.flat()) taken.push(...takeTo(cursor, at))
          const own = classesOf(currentShare(holdings[giver] ?? []))
          const moved = strides(own.filter((_, i) => i % take === 0))
          const change = transfer(holdings[giver] ?? [], holdings[gainer] ?? [], moved, at)
          holdings = holdings.with(giver, change.from).with(gainer, change.to)
          for (const i of [giver, gainer]) for (const cursor of cursors[i] ?? []) cursor.revise(holdings[i] ?? [])
        }
        for (const cursor of cursors.flat()) taken.push(...takeTo(cursor, 1000))
        expect(sorted(taken)).toEqual(upTo(1000))
        // Whoever joins later and reads the holdings from the beginning sees the same.
        const told = holdings.flatMap(holding => slices(holding, threads, 1).flatMap(cursor => takeTo(cursor, 1000)))
        expect(sorted(told)).toEqual(upTo(1000))
      }),
      { numRuns: 40 },
    )
  })
})

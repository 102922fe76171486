import type { OpenInjection } from '@onrush/protocol/injection'
import { describe, expect, test } from 'vitest'
import { holdingOf } from './holding.ts'
import { OwnedCursor } from './owned-cursor.ts'
import { openPacer } from './pacer.ts'
import { dealShares, type Share, strides } from './share.ts'

// The numbers are those k6 publishes in its tests of the ramping and the constant arrival rate. Its ramping executor
// counts as we do; its constant one starts at 0, where ours waits one interval.

const upAndDown = (rate: number): OpenInjection[] => [
  { type: 'rampUsersPerSec', from: 0, to: rate, duration: '5s' },
  { type: 'constantUsersPerSec', rate, duration: '1s' },
  { type: 'rampUsersPerSec', from: rate, to: 0, duration: '5s' },
]

function owned(inject: OpenInjection[], share: Share): number[] {
  const pacer = openPacer(inject)
  const cursor = new OwnedCursor(holdingOf(share), { thread: 0, threads: 1 }, 1)
  const due: number[] = []
  while (cursor.peek() <= pacer.total) due.push(pacer.dueAt(cursor.next()))
  return due
}

function expectWithinOneMs(due: number[], table: number[]): void {
  expect(due).toHaveLength(table.length)
  table.forEach((expected, i) => {
    expect(Math.abs((due[i] ?? Number.NaN) - expected), `arrival ${i + 1}`).toBeLessThanOrEqual(1)
  })
}

const [third0 = [], third1 = [], third2 = []] = dealShares([1, 1, 1])

describe('ramping arrival rate', () => {
  test.each([
    { name: 'the whole', share: dealShares([1])[0] ?? [], table: [3162, 4472, 5500, 6527, 7837, 11000] },
    { name: 'the first third', share: third1, table: [3162, 6527] },
    { name: 'the second third', share: third2, table: [4472, 7837] },
    { name: 'the last third', share: third0, table: [5500, 11000] },
    { name: 'the middle of three unequal parts', share: strides([2, 5]), table: [4472, 7837] },
  ])('$name', ({ share, table }) => {
    expectWithinOneMs(owned(upAndDown(1), share), table)
  })

  test('three times as fast', () => {
    const table = [
      1825, 2581, 3162, 3651, 4082, 4472, 4830, 5166, 5499, 5833, 6169, 6527, 6917, 7348, 7837, 8418, 9174, 10999,
    ]
    // k6's unit is 333,333,333 ns here, which is why its last arrivals are a little early.
    expectWithinOneMs(openDue(upAndDown(3)), table)
  })

  test('a time unit of 950 ms plans 21 iterations, of which a quarter has four', () => {
    const rate = 20 / 0.95
    const inject: OpenInjection[] = [
      { type: 'rampUsersPerSec', from: 0, to: rate, duration: '1s' },
      { type: 'rampUsersPerSec', from: rate, to: 0, duration: '1s' },
    ]
    expect(openPacer(inject).total).toBe(21)
    // k6 counts iterations from 0; its quarter has numbers 1, 6, 11, 16.
    expect(owned(inject, strides([2, 7, 12, 17]))).toHaveLength(4)
  })
})

function openDue(inject: OpenInjection[]): number[] {
  const pacer = openPacer(inject)
  return Array.from({ length: pacer.total }, (_, i) => pacer.dueAt(i + 1))
}

describe('constant arrival rate: 50 a second for 5 seconds', () => {
  const inject: OpenInjection[] = [{ type: 'constantUsersPerSec', rate: 50, duration: '5s' }]
  const interval = 20

  test.each([
    { name: '0:1/3', start: 20, steps: [40, 60, 60, 60, 60, 60, 60] },
    { name: '1/3:2/3', start: 20, steps: [60, 60, 60, 60, 60, 60, 40] },
    { name: '2/3:1', start: 20, steps: [40, 60, 60, 60, 60, 60, 60] },
    { name: '1/6:3/6', start: 20, steps: [40, 80, 40, 80, 40, 80, 40] },
    { name: '0:1/3 of 0,1/3,2/3,1', start: 0, steps: [60, 60, 60, 60, 60, 60, 40] },
    { name: '1/3:2/3 of 0,1/3,2/3,1', start: 20, steps: [60, 60, 60, 60, 60, 60, 40] },
    { name: '2/3:1 of 0,1/3,2/3,1', start: 40, steps: [60, 60, 60, 60, 60, 100] },
  ])('segment $name', ({ start, steps }) => {
    const round = steps.reduce((sum, step) => sum + step, 0)
    const firstRound: number[] = [start]
    for (const step of steps.slice(0, -1)) firstRound.push((firstRound.at(-1) ?? 0) + step)
    const table: number[] = []
    for (let base = 0; base < 5000; base += round) {
      table.push(...firstRound.map(t => base + t + interval).filter(t => t <= 5000))
    }
    // k6's part as ours: its arrivals are counted from 0, and its rounds are as long as their steps together.
    const members: number[] = []
    for (let base = 0; base < 27_720; base += round / interval) {
      members.push(...firstRound.map(t => base + t / interval + 1).filter(n => n < 27_720))
    }
    expectWithinOneMs(owned(inject, strides(members)), table)
  })

  test('thirds of 20 users are dealt 7 : 7 : 6, at the distances k6 publishes', () => {
    const distances = dealShares([7, 7, 6]).map(share => {
      const due = owned(inject, share)
      return due.slice(1).map((t, i) => Math.round(t - (due[i] ?? 0)))
    })
    for (const [i, longest] of [60, 60, 100].entries()) {
      const found = distances[i] ?? []
      expect(new Set(found)).toEqual(new Set(i === 2 ? [60, 100] : [60, 40]))
      expect(Math.max(...found)).toBe(longest)
    }
  })

  test('equal thirds are evenly 60 ms apart, and together they are the whole', () => {
    const thirds = [third1, third2, third0].map(share => owned(inject, share))
    expectWithinOneMs(
      thirds[0] ?? [],
      Array.from({ length: 84 }, (_, i) => 20 + 60 * i),
    )
    expect(thirds.flat().sort((a, b) => a - b)).toEqual(openDue(inject))
  })
})

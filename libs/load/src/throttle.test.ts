import type { Throttle } from '@onrush/protocol/load'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdingOf } from './holding.ts'
import { OwnedCursor } from './owned-cursor.ts'
import { split } from './random-profiles.testing.ts'
import { dealShares } from './share.ts'
import { openThrottle, SlotTaker } from './throttle.ts'

const slots = (throttle: Throttle, count: number): number[] => {
  const pacer = openThrottle(throttle)
  return Array.from({ length: count }, (_, i) => pacer.dueAt(i + 1))
}

describe('the ceiling', () => {
  test.each<{ why: string; throttle: Throttle; first: number[] }>([
    { why: 'a jump holds to the end of time', throttle: [{ type: 'jump', rps: 2 }], first: [500, 1000, 1500, 2000] },
    {
      why: 'reach rises from nothing',
      throttle: [{ type: 'reach', rps: 2, in: '2s' }],
      first: [Math.SQRT2 * 1000, 2000, 2500, 3000],
    },
    {
      why: 'hold keeps the level, a jump changes it',
      throttle: [
        { type: 'jump', rps: 1 },
        { type: 'hold', for: '2s' },
        { type: 'jump', rps: 4 },
      ],
      first: [1000, 2000, 2250, 2500],
    },
    {
      why: 'reach may fall',
      throttle: [
        { type: 'jump', rps: 3 },
        { type: 'reach', rps: 1, in: '2s' },
      ],
      first: [(3 - Math.sqrt(7)) * 1000, (3 - Math.sqrt(5)) * 1000, (3 - Math.sqrt(3)) * 1000, 2000, 3000],
    },
    {
      why: 'holding nothing lets nothing pass',
      throttle: [{ type: 'hold', for: '1s' }],
      first: [Number.POSITIVE_INFINITY],
    },
  ])('$why', ({ throttle, first }) => {
    slots(throttle, first.length).forEach((due, i) => {
      const expected = first[i] ?? Number.NaN
      if (expected === Number.POSITIVE_INFINITY) expect(due).toBe(expected)
      else expect(due).toBeCloseTo(expected, 9)
    })
  })

  test('after a week it is still exact', () => {
    const pacer = openThrottle([{ type: 'jump', rps: 1000 }])
    expect(pacer.dueAt(604_800_000)).toBe(604_800_000)
    expect(pacer.plannedBy(604_800_000)).toBe(604_800_000)
    expect(pacer.total).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('taking slots', () => {
  const taker = (throttle: Throttle) =>
    new SlotTaker(openThrottle(throttle), new OwnedCursor(holdingOf([[0, 1, 27_720]]), { thread: 0, threads: 1 }, 1))

  test('those who wait get one slot after another', () => {
    const slots = taker([{ type: 'jump', rps: 10 }])
    expect([slots.take(0), slots.take(0), slots.take(0)]).toEqual([100, 200, 300])
  })

  test('idleness saves nothing up: after a minute without requests they come at the rate again', () => {
    const slots = taker([{ type: 'jump', rps: 10 }])
    slots.take(0)
    expect([slots.take(60_050), slots.take(60_050), slots.take(60_050)]).toEqual([60_100, 60_200, 60_300])
  })

  test('many slices, asking when they like: in no window do they pass more than the ceiling allows', () => {
    const asking = fc.array(fc.record({ slice: fc.nat(), after: fc.nat({ max: 300 }) }), {
      minLength: 1,
      maxLength: 200,
    })
    const throttle: Throttle = [
      { type: 'reach', rps: 40, in: '3s' },
      { type: 'hold', for: '2s' },
      { type: 'jump', rps: 15 },
    ]
    fc.assert(
      fc.property(split, asking, ({ weights, threads }, requests) => {
        const pacer = openThrottle(throttle)
        const takers = dealShares(weights).flatMap(share =>
          Array.from(
            { length: threads },
            (_, thread) =>
              new SlotTaker(openThrottle(throttle), new OwnedCursor(holdingOf(share), { thread, threads }, 1)),
          ),
        )
        let now = 0
        const sent: number[] = []
        for (const { slice, after } of requests) {
          now += after
          const at = takers[slice % takers.length]?.take(now) ?? Number.NaN
          expect(at).toBeGreaterThanOrEqual(now)
          sent.push(at)
        }
        sent.sort((a, b) => a - b)
        expect(new Set(sent).size).toBe(sent.length)
        for (let i = 0; i < sent.length; i += 7) {
          for (let j = i; j < sent.length; j += 5) {
            const [from = 0, to = 0] = [sent[i], sent[j]]
            expect(j - i).toBeLessThan(pacer.wantedBy(to) - pacer.wantedBy(from) + 1e-6)
          }
        }
      }),
      { numRuns: 60 },
    )
  })
})

import type { OpenInjection } from '@onrush/protocol/injection'
import { describe, expect, test } from 'vitest'
import { erfc, erfcInverse } from './erfc.ts'
import { openPacer } from './pacer.ts'

const all = (inject: OpenInjection[], options = {}): number[] => {
  const pacer = openPacer(inject, options)
  return Array.from({ length: pacer.total }, (_, i) => pacer.dueAt(i + 1))
}

const constant = (rate: number, duration: string): OpenInjection => ({ type: 'constantUsersPerSec', rate, duration })

describe('when arrivals are due', () => {
  test.each<{ why: string; inject: OpenInjection[]; due: number[] }>([
    {
      why: 'a constant rate waits one interval and ends with an arrival',
      inject: [constant(2, '2s')],
      due: [500, 1000, 1500, 2000],
    },
    { why: 'users at once come at once', inject: [{ type: 'atOnceUsers', users: 3 }], due: [0, 0, 0] },
    {
      why: 'ramped users are spread evenly, the last at the end',
      inject: [{ type: 'rampUsers', users: 3, duration: '9s' }],
      due: [3000, 6000, 9000],
    },
    {
      why: 'ramped users over no time come at once',
      inject: [{ type: 'rampUsers', users: 2, duration: '0s' }],
      due: [0, 0],
    },
    { why: 'a pause only shifts', inject: [{ type: 'nothingFor', duration: '7s' }, constant(1, '1s')], due: [8000] },
    {
      why: 'half an arrival is carried from step to step',
      inject: [constant(0.5, '1s'), constant(0.5, '1s')],
      due: [2000],
    },
    {
      why: 'what is left over at an instant comes later',
      inject: [constant(1, '1500ms'), { type: 'atOnceUsers', users: 1 }, constant(1, '500ms')],
      due: [1000, 1500, 2000],
    },
    { why: 'what is left over at the very end never comes', inject: [constant(1, '2900ms')], due: [1000, 2000] },
    { why: 'a rate of nothing plans nothing', inject: [constant(0, '1h')], due: [] },
    {
      why: 'stairs without ramps are constant rates',
      inject: [{ type: 'incrementUsersPerSec', from: 1, step: 1, times: 2, eachLevelLasting: '1s' }],
      due: [1000, 1500, 2000],
    },
    {
      why: 'stairs may lead down, to nothing',
      inject: [{ type: 'incrementUsersPerSec', from: 2, step: -1, times: 3, eachLevelLasting: '1s' }],
      due: [500, 1000, 2000],
    },
    {
      why: 'ramps stand between the stairs only',
      inject: [
        {
          type: 'incrementUsersPerSec',
          from: 0,
          step: 2,
          times: 2,
          eachLevelLasting: '1s',
          separatedByRampsLasting: '1s',
        },
      ],
      due: [2000, 2500, 3000],
    },
    {
      why: 'a surge is symmetrical, and its last arrival is at the end',
      inject: [{ type: 'heavisideUsers', users: 1, duration: '4s' }],
      due: [4000],
    },
  ])('$why', ({ inject, due }) => {
    expect(all(inject)).toEqual(due)
  })

  test('past the end nothing is due, ever', () => {
    const pacer = openPacer([constant(2, '2s')])
    expect(pacer.dueAt(5)).toBe(Number.POSITIVE_INFINITY)
    expect(openPacer([{ type: 'nothingFor', duration: '1s' }]).dueAt(1)).toBe(Number.POSITIVE_INFINITY)
  })

  test('the order of the questions changes no answer', () => {
    const inject: OpenInjection[] = [
      constant(7, '3s'),
      { type: 'atOnceUsers', users: 4 },
      { type: 'rampUsersPerSec', from: 7, to: 1, duration: '5s' },
    ]
    for (const arrivals of ['uniform', 'poisson'] as const) {
      const rising = all(inject, { arrivals, seed: 3 })
      const pacer = openPacer(inject, { arrivals, seed: 3 })
      const falling = rising.map((_, i) => pacer.dueAt(rising.length - i)).reverse()
      const jumping = rising.map((_, i) => pacer.dueAt(((i * 7919) % rising.length) + 1))
      expect(falling).toEqual(rising)
      expect(jumping).toEqual(rising.map((_, i) => rising[(i * 7919) % rising.length]))
    }
  })
})

describe('a surge', () => {
  test("lies on Gatling's curve, each user one place earlier", () => {
    // Gatling puts user u of n at k·(t₀ + erf⁻¹(2u/(n+2) − 1)), t₀ = erf⁻¹(1 − 2/(n+2)), k = duration/2t₀. Put back into
    // erf, the times of our user u − 1 must give 2u/(n+2) − 1 again.
    const users = 100
    const t0 = erfcInverse(2 / (users + 2))
    all([{ type: 'heavisideUsers', users, duration: '60s' }]).forEach((t, i) => {
      const z = (t / 60_000) * 2 * t0 - t0
      expect(1 - erfc(z)).toBeCloseTo((2 * (i + 2)) / (users + 2) - 1, 12)
    })
  })

  test('is a mirror image of itself', () => {
    const due = all([{ type: 'heavisideUsers', users: 999, duration: '60s' }])
    // Position 0 is the start itself: between n and its mirror lies the whole duration.
    for (let n = 1; n < 999; n++) expect((due[n - 1] ?? 0) + (due[998 - n] ?? 0)).toBeCloseTo(60_000, 6)
  })

  test('peaks in the middle', () => {
    const pacer = openPacer([{ type: 'heavisideUsers', users: 10_000, duration: '100s' }])
    const middle = pacer.wantedBy(50_500) - pacer.wantedBy(49_500)
    expect(middle / pacer.peak).toBeCloseTo(1, 2)
    expect(pacer.wantedBy(10_000)).toBeLessThan(200)
  })
})

describe('the books', () => {
  const profile: OpenInjection[] = [
    { type: 'atOnceUsers', users: 5 },
    { type: 'rampUsersPerSec', from: 3, to: 17, duration: '4s' },
    { type: 'nothingFor', duration: '1s' },
    { type: 'heavisideUsers', users: 50, duration: '3s' },
  ]
  test.each(['uniform', 'poisson'] as const)(
    '%s: planned by t is what is due by t, at and around every arrival',
    arrivals => {
      const pacer = openPacer(profile, { arrivals, seed: 11, startAfter: 1234.5 })
      const due = Array.from({ length: pacer.total }, (_, i) => pacer.dueAt(i + 1))
      for (const t of due.flatMap(t => [t - 1e-6, t, t + 1e-6])) {
        expect(pacer.plannedBy(t)).toBe(due.filter(other => other <= t).length)
      }
      expect(pacer.plannedBy(0)).toBe(0)
      expect(pacer.plannedBy(Number.POSITIVE_INFINITY)).toBe(pacer.total)
    },
  )

  test('the curve for charts passes the count wherever an arrival falls', () => {
    const pacer = openPacer(profile.slice(1), {})
    for (let n = 1; n <= pacer.total; n++) expect(pacer.wantedBy(pacer.dueAt(n))).toBeCloseTo(n, 6)
    expect(pacer.wantedBy(-1)).toBe(0)
  })

  test('maxDuration cuts the plan, startAfter shifts it with its cut', () => {
    const pacer = openPacer([constant(10, '10s')], { maxDuration: 2500, startAfter: 1000 })
    expect(pacer.total).toBe(25)
    expect(pacer.dueAt(1)).toBe(1100)
    expect(pacer.dueAt(25)).toBe(3500)
    expect(pacer.dueAt(26)).toBe(Number.POSITIVE_INFINITY)
    expect(pacer.duration).toBe(3500)
    expect(pacer.wantedBy(1e9)).toBe(25)
  })

  test('a cut in a ramp lowers its peak', () => {
    const ramp: OpenInjection[] = [{ type: 'rampUsersPerSec', from: 0, to: 100, duration: '10s' }]
    expect(openPacer(ramp).peak).toBe(100)
    expect(openPacer(ramp, { maxDuration: 5000 }).peak).toBe(50)
  })
})

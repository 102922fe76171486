import { describe, expect, test } from 'vitest'
import { curve, summaryOf } from './curve.ts'
import { type Load, planOf } from './plan.ts'

describe('a load becomes a plan of its kind', () => {
  test.each<{ why: string; load: Load; expected: object }>([
    {
      why: 'arrivals',
      load: { inject: [{ type: 'constantUsersPerSec', rate: 5, duration: '10s' }] },
      expected: { kind: 'open', startsAt: 0, endsAt: 10_000, interruptsAt: Number.POSITIVE_INFINITY },
    },
    {
      why: 'only a pause',
      load: { inject: [{ type: 'nothingFor', duration: '1s' }] },
      expected: { kind: 'open', endsAt: 1000 },
    },
    {
      why: 'users',
      load: {
        inject: [
          { type: 'nothingFor', duration: '1s' },
          { type: 'constantConcurrentUsers', users: 2, duration: '1s' },
        ],
      },
      expected: { kind: 'closed', endsAt: 2000 },
    },
    {
      why: 'a limit ends those that run',
      load: {
        inject: [{ type: 'constantUsersPerSec', rate: 5, duration: '10s' }],
        maxDuration: '4s',
        startAfter: '1s',
        rampDown: '2s',
      },
      expected: { kind: 'open', startsAt: 1000, endsAt: 5000, interruptsAt: 5000, rampDown: 2000 },
    },
    {
      why: 'iterations take as long as they take',
      load: { inject: [{ type: 'iterations', iterations: 9, users: 2 }] },
      expected: { kind: 'iterations', iterations: 9, users: 2, endsAt: Number.POSITIVE_INFINITY },
    },
    {
      why: 'the tighter of two limits counts',
      load: { inject: [{ type: 'iterations', iterations: 9, users: 2, maxDuration: '5s' }], maxDuration: '1m' },
      expected: { kind: 'iterations', endsAt: 5000, interruptsAt: 5000 },
    },
  ])('$why', ({ load, expected }) => {
    expect(planOf(load, 0)).toMatchObject(expected)
  })
})

describe('what a chart shows', () => {
  test('the mean rate of each interval adds up to all arrivals, those at one instant too', () => {
    const plan = planOf(
      {
        inject: [
          { type: 'atOnceUsers', users: 30 },
          { type: 'rampUsersPerSec', from: 0, to: 10, duration: '4s' },
        ],
      },
      0,
    )
    const line = curve(plan, 4)
    expect(line).toEqual([
      { at: 0, value: 31.25 },
      { at: 1000, value: 3.75 },
      { at: 2000, value: 6.25 },
      { at: 3000, value: 8.75 },
    ])
    expect(line.reduce((sum, { value }) => sum + value, 0)).toBe(summaryOf(plan).total)
  })

  test('users are those at the beginning of each interval', () => {
    const plan = planOf({ inject: [{ type: 'rampConcurrentUsers', from: 0, to: 4, duration: '4s' }] }, 0)
    expect(curve(plan, 4).map(({ value }) => value)).toEqual([0, 1, 2, 3])
    expect(summaryOf(plan)).toEqual({ kind: 'closed', total: undefined, peak: 3, duration: 4000 })
  })

  test('iterations without a limit have no length to draw', () => {
    const plan = planOf({ inject: [{ type: 'iterations', iterations: 3, users: 10 }] }, 0)
    expect(summaryOf(plan)).toEqual({ kind: 'iterations', total: 3, peak: 3, duration: undefined })
    expect(curve(plan, 10)).toEqual([])
  })
})

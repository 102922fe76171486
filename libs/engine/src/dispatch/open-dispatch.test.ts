import { holdingOf } from '@onrush/load/holding'
import { planOf } from '@onrush/load/plan'
import { dealShares, wholeShare } from '@onrush/load/share'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crewOf, gate, settled } from '../session/crew.testing.ts'
import { startsPerTurn } from './dispatch.ts'
import { OpenDispatch } from './open-dispatch.ts'

function openPlan(users: number, durationMs: number) {
  const duration = { value: durationMs, unit: 'millisecond' as const }
  const plan = planOf({ inject: [{ type: 'rampUsers', users, duration }] }, 1)
  if (plan.kind !== 'open') throw new Error('expected an open plan')
  return plan
}

const alone = { slice: { thread: 0, threads: 1 }, holding: holdingOf(wholeShare), maxUsers: Infinity, lateMs: 10 }

describe('arrivals', () => {
  test('are started when they are due, and never before', async () => {
    const { step, arrivals } = gate()
    const { population, clock } = crewOf(step)
    const dispatch = new OpenDispatch(openPlan(10, 100), population, clock, alone)
    expect(dispatch.advance(-5)).toBe(10)
    expect(dispatch.advance(9.9)).toBe(10)
    expect(dispatch.advance(35)).toBe(40)
    await settled()
    expect(arrivals).toEqual([1, 2, 3])
    expect(dispatch.advance(1000)).toBe(Infinity)
    expect(dispatch.done).toBe(true)
  })

  test('of all slices of all shards are the whole, each once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }).filter(weights => weights.some(weight => weight > 0)),
        fc.integer({ min: 1, max: 4 }),
        async (weights, threads) => {
          const { step, arrivals } = gate()
          for (const share of dealShares(weights)) {
            for (let thread = 0; thread < threads; thread++) {
              const { population, clock } = crewOf(step)
              const options = { ...alone, slice: { thread, threads }, holding: holdingOf(share) }
              new OpenDispatch(openPlan(40, 100), population, clock, options).advance(100)
            }
          }
          await settled()
          expect(arrivals.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
        },
      ),
      { numRuns: 20 },
    )
  })

  test('that are late are started at once and counted as late', async () => {
    const { step } = gate()
    const { population, clock, books } = crewOf(step)
    new OpenDispatch(openPlan(10, 100), population, clock, alone).advance(100)
    await settled()
    // Due at 10 … 80 ms: more than 10 ms ago. Those of 90 and 100 are not.
    expect(books()).toMatchObject({ started: 10, late: 8 })
  })

  test('beyond maxUsers are dropped', async () => {
    const { step, open } = gate()
    const { population, clock, books } = crewOf(step)
    const dispatch = new OpenDispatch(openPlan(10, 100), population, clock, { ...alone, maxUsers: 3 })
    dispatch.advance(50)
    await open()
    dispatch.advance(100)
    await open()
    expect(books()).toMatchObject({ started: 6, dropped: 4, finished: 6 })
  })

  test('that a stop finds not started are cancelled', async () => {
    const { step } = gate()
    const { population, clock, books } = crewOf(step)
    const dispatch = new OpenDispatch(openPlan(10, 100), population, clock, alone)
    dispatch.advance(42)
    dispatch.stop()
    dispatch.stop()
    expect(dispatch.advance(100)).toBe(Infinity)
    await settled()
    expect(books()).toMatchObject({ started: 4, cancelled: 6 })
  })

  test('of one instant are started over several turns', () => {
    const { step } = gate()
    const { population, clock, books } = crewOf(step)
    const dispatch = new OpenDispatch(openPlan(1200, 0), population, clock, alone)
    expect(dispatch.advance(0)).toBe(0)
    expect(books().started).toBe(startsPerTurn)
    dispatch.advance(0)
    dispatch.advance(0)
    expect(books().started).toBe(1200)
  })

  test('change hands at an instant: none is lost, none comes twice', async () => {
    const { step, arrivals } = gate()
    const [left = [], right = []] = dealShares([1, 1])
    const dispatches = [left, right].map(share => {
      const { population, clock } = crewOf(step)
      return new OpenDispatch(openPlan(100, 1000), population, clock, { ...alone, holding: holdingOf(share) })
    })
    const [first, second] = dispatches
    first?.advance(300)
    second?.advance(350)
    first?.reassign([], 500)
    second?.reassign(wholeShare, 500)
    for (const dispatch of dispatches) dispatch.advance(1000)
    await settled()
    expect(arrivals.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
  })
})

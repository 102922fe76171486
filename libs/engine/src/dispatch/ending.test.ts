import { type Load, planOf } from '@onrush/load/plan'
import { describe, expect, test } from 'vitest'
import { crewOf, gate, settled } from '../session/crew.testing.ts'
import { PlanEnding, plannedEnd } from './ending.ts'

const start = { user: 1, iteration: 1, arrival: 1, planned: false }

function begun(load: Load, sessions: number, loopsForever: boolean) {
  const { step, open } = gate()
  const crew = crewOf(step, loopsForever ? { loop: { forever: true } } : {})
  const plan = planOf(load, 1)
  const ending = new PlanEnding(plan, crew.population, { loopsForever, patienceMs: 60_000 })
  for (let i = 1; i <= sessions; i++) crew.population.start({ ...start, number: i, due: 0 }, () => undefined)
  return { ...crew, plan, ending, open }
}

const atOnce = { inject: [{ type: 'atOnceUsers', users: 10 }] } satisfies Load

describe('sessions that outlast their plan', () => {
  test('are ended evenly over the ramp down', async () => {
    const { population, ending } = begun({ ...atOnce, maxDuration: '10s', rampDown: '10s' }, 10, true)
    const left: number[] = []
    expect(ending.advance(0)).toBe(10_000)
    for (const t of [9_999, 10_000, 11_000, 15_000, 19_999, 20_000]) {
      ending.advance(t)
      await settled()
      left.push(population.active.size)
    }
    expect(left).toEqual([10, 10, 9, 5, 1, 0])
  })

  test('are all ended at once where nothing is said', async () => {
    const { population, ending, books } = begun({ ...atOnce, maxDuration: '10s' }, 10, true)
    ending.advance(9_999)
    ending.advance(10_000)
    await settled()
    expect(population.active.size).toBe(0)
    expect(books()).toMatchObject({ started: 10, interrupted: 10 })
  })

  test('loop no more once the plan is over, when nothing else would end them', async () => {
    const { population, ending, open, books } = begun(atOnce, 4, true)
    await open()
    expect(population.active.size).toBe(4)
    ending.advance(0)
    await open()
    expect(books()).toMatchObject({ started: 4, finished: 4 })
  })

  test('are cut when all patience is over, and it is told how many', async () => {
    const { population, ending, plan } = begun(atOnce, 4, false)
    const last = plannedEnd(plan) + 60_000
    expect(ending.advance(1)).toBe(last)
    ending.advance(last)
    await settled()
    expect(population.active.size).toBe(0)
    expect(ending.cut).toBe(4)
  })
})

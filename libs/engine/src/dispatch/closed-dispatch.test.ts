import { planOf } from '@onrush/load/plan'
import { dealShares, wholeShare } from '@onrush/load/share'
import type { ClosedInjection } from '@onrush/protocol/injection'
import { describe, expect, test } from 'vitest'
import { crewOf, gate } from '../session/crew.testing.ts'
import { ClosedDispatch } from './closed-dispatch.ts'

function closedPlan(inject: ClosedInjection[]) {
  const plan = planOf({ inject }, 1)
  if (plan.kind !== 'closed') throw new Error('expected a closed plan')
  return plan
}

const alone = { slice: { thread: 0, threads: 1 }, share: wholeShare, maxUsers: Infinity }
const ramp = closedPlan([
  { type: 'rampConcurrentUsers', from: 0, to: 10, duration: '1s' },
  { type: 'rampConcurrentUsers', from: 10, to: 0, duration: '1s' },
])

describe('users', () => {
  test('come and leave as the plan wants them; those who leave finish their session', async () => {
    const { step, open } = gate()
    const { population, clock } = crewOf(step)
    const dispatch = new ClosedDispatch(ramp, population, clock, alone)
    const active: number[] = []
    for (const t of [0, 250, 500, 1000, 1500, 1900]) {
      dispatch.advance(t)
      await open()
      active.push(population.active.size)
    }
    expect(active).toEqual([...active].map((_, i) => ramp.crowd.usersAt([0, 250, 500, 1000, 1500, 1900][i] ?? 0)))
    expect(Math.max(...active)).toBe(10)
    expect(dispatch.advance(2000)).toBe(Infinity)
    await open()
    expect(population.active.size).toBe(0)
    expect(dispatch.done).toBe(true)
  })

  test('begin again while they are wanted, each session with a number of its own', async () => {
    const { step, open, arrivals } = gate()
    const { population, clock, books } = crewOf(step)
    const plan = closedPlan([{ type: 'constantConcurrentUsers', users: 3, duration: '1h' }])
    const dispatch = new ClosedDispatch(plan, population, clock, alone)
    dispatch.advance(0)
    for (let i = 0; i < 4; i++) await open()
    expect(new Set(arrivals).size).toBe(arrivals.length)
    expect(arrivals.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, i) => i + 1))
    dispatch.stop()
    await open()
    expect(books()).toMatchObject({ started: 15, finished: 15, interrupted: 0 })
  })

  test('of all slices are the whole', async () => {
    const { step, open } = gate()
    const crews = dealShares([1, 2]).flatMap(share =>
      [0, 1, 2].map(thread => {
        const { population, clock } = crewOf(step)
        const dispatch = new ClosedDispatch(ramp, population, clock, { ...alone, share, slice: { thread, threads: 3 } })
        return { population, dispatch }
      }),
    )
    for (const t of [0, 333, 666, 1000, 1700]) {
      for (const { dispatch } of crews) dispatch.advance(t)
      await open()
      expect(crews.reduce((sum, { population }) => sum + population.active.size, 0)).toBe(ramp.crowd.usersAt(t))
    }
  })

  test('beyond maxUsers are dropped, each once', async () => {
    const { step, open } = gate()
    const { population, clock, books } = crewOf(step)
    const dispatch = new ClosedDispatch(ramp, population, clock, { ...alone, maxUsers: 4 })
    for (const t of [0, 500, 1000, 1500]) {
      dispatch.advance(t)
      await open()
      expect(population.active.size).toBeLessThanOrEqual(4)
    }
    expect(books()).toMatchObject({ dropped: 6 })
  })

  test('change hands: those given away leave, those gained begin', async () => {
    const { step, open } = gate()
    const plan = closedPlan([{ type: 'constantConcurrentUsers', users: 10, duration: '1h' }])
    const [left = [], right = []] = dealShares([1, 1])
    const crews = [left, right].map(share => {
      const { population, clock } = crewOf(step)
      return { population, dispatch: new ClosedDispatch(plan, population, clock, { ...alone, share }) }
    })
    for (const { dispatch } of crews) dispatch.advance(0)
    await open()
    expect(crews.map(({ population }) => population.active.size)).toEqual([5, 5])
    crews[0]?.dispatch.reassign([], 100)
    crews[1]?.dispatch.reassign(wholeShare, 100)
    for (const { dispatch } of crews) dispatch.advance(100)
    await open()
    expect(crews.map(({ population }) => population.active.size)).toEqual([0, 10])
  })
})

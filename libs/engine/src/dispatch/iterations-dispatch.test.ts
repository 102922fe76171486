import { planOf } from '@onrush/load/plan'
import { dealShares, wholeShare } from '@onrush/load/share'
import { expect, test } from 'vitest'
import { crewOf, gate } from '../session/crew.testing.ts'
import { IterationsDispatch } from './iterations-dispatch.ts'

function iterationsPlan(iterations: number, users: number) {
  const plan = planOf({ inject: [{ type: 'iterations', iterations, users, maxDuration: '1m' }] }, 1)
  if (plan.kind !== 'iterations') throw new Error('expected iterations')
  return plan
}

const alone = { slice: { thread: 0, threads: 1 }, share: wholeShare, maxUsers: Infinity }

test('never more users at once than there are, and every session once, over all slices', async () => {
  const { step, open, arrivals } = gate()
  const crews = dealShares([2, 1]).flatMap(share =>
    [0, 1].map(thread => {
      const { population, clock } = crewOf(step)
      const options = { ...alone, share, slice: { thread, threads: 2 } }
      return { population, dispatch: new IterationsDispatch(iterationsPlan(47, 6), population, clock, options) }
    }),
  )
  for (const { dispatch } of crews) dispatch.advance(0)
  for (let i = 0; i < 30; i++) {
    expect(crews.reduce((sum, { population }) => sum + population.active.size, 0)).toBeLessThanOrEqual(6)
    await open()
  }
  expect(arrivals.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 47 }, (_, i) => i + 1))
  expect(crews.every(({ dispatch }) => dispatch.done)).toBe(true)
})

test('what the end of the time finds not started is cancelled', async () => {
  const { step, open } = gate()
  const { population, clock, books } = crewOf(step)
  const dispatch = new IterationsDispatch(iterationsPlan(20, 4), population, clock, alone)
  expect(dispatch.advance(-3)).toBe(0)
  expect(dispatch.advance(0)).toBe(60_000)
  await open()
  expect(dispatch.advance(60_000)).toBe(Infinity)
  await open()
  expect(books()).toMatchObject({ started: 8, finished: 8, cancelled: 12 })
})

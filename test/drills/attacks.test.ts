import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackDuringRun } from '../support/attacked-run.ts'
import { type FuzzedFleet, fuzzedFleet } from '../support/fuzzed-fleet.ts'

let fleet: FuzzedFleet
beforeAll(async () => {
  fleet = await fuzzedFleet({ ONRUSH_TARGETS: 'localhost' })
})
afterAll(() => fleet?.stop())

test('a gigabyte, ten thousand websockets, a thousand dawdlers: a run goes on without losing a count', async () => {
  const figures = await attackDuringRun(fleet, { bodyMb: 1_024, bombMb: 1_024, sockets: 10_000, loris: 1_000 })
  console.log(figures.join('\n'))
  expect(figures.length).toBeGreaterThan(8)
})

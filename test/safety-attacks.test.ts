import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackDuringRun } from './support/attacked-run.ts'
import { type FuzzedFleet, fuzzedFleet } from './support/fuzzed-fleet.ts'

let fleet: FuzzedFleet
beforeAll(async () => {
  fleet = await fuzzedFleet({ ONRUSH_TARGETS: 'localhost' })
})
afterAll(() => fleet?.stop())

// The same with ten thousand clients and a gigabyte is a drill: onrush test --drills.
test('path tricks, floods, bombs and dawdlers are refused or bounded, and a run goes on without losing a count', {
  timeout: 600_000,
}, async () => {
  const figures = await attackDuringRun(fleet, { bodyMb: 100, bombMb: 64, sockets: 700, loris: 50 })
  expect(figures.length).toBeGreaterThan(8)
})

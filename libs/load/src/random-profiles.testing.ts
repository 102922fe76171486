import type { OpenInjection } from '@onrush/protocol/injection'
import fc from 'fast-check'
import type { ClosedStep } from './closed.ts'

/** Random profiles for properties: short, and with everything that is awkward: fractions, pauses, instants, nothing. */
const duration = fc.integer({ min: 0, max: 4000 }).map(ms => `${ms}ms`)
const rate = fc.oneof(
  fc.integer({ min: 0, max: 60 }),
  fc.integer({ min: 0, max: 600 }).map(tenths => tenths / 10),
)
const users = fc.integer({ min: 0, max: 60 })
const stairs = {
  from: fc.integer({ min: 0, max: 20 }),
  step: fc.integer({ min: 0, max: 10 }),
  times: fc.integer({ min: 1, max: 4 }),
  eachLevelLasting: duration,
  separatedByRampsLasting: fc.option(duration, { nil: undefined }),
}

export const openProfile: fc.Arbitrary<OpenInjection[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('nothingFor' as const), duration }),
    fc.record({ type: fc.constant('atOnceUsers' as const), users }),
    fc.record({ type: fc.constant('rampUsers' as const), users, duration }),
    fc.record({ type: fc.constant('constantUsersPerSec' as const), rate, duration }),
    fc.record({ type: fc.constant('rampUsersPerSec' as const), from: rate, to: rate, duration }),
    fc.record({ type: fc.constant('heavisideUsers' as const), users, duration }),
    fc.record({ type: fc.constant('incrementUsersPerSec' as const), ...stairs }),
  ),
  { minLength: 1, maxLength: 6 },
)

export const closedProfile: fc.Arbitrary<ClosedStep[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('nothingFor' as const), duration }),
    fc.record({ type: fc.constant('constantConcurrentUsers' as const), users, duration }),
    fc.record({ type: fc.constant('rampConcurrentUsers' as const), from: users, to: users, duration }),
    fc.record({ type: fc.constant('incrementConcurrentUsers' as const), ...stairs }),
  ),
  { minLength: 1, maxLength: 6 },
)

/** Between 1 and 64 slices: shards by weight, threads in each. */
export const split = fc
  .record({
    weights: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 16 }),
    threads: fc.integer({ min: 1, max: 4 }),
  })
  .filter(({ weights, threads }) => weights.length * threads <= 64)

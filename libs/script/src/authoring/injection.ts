import type { Duration } from './duration.ts'
import type { Injection, Stairs } from './load-types.ts'
import { placed } from './place.ts'

type Of<T extends Injection['type']> = Extract<Injection, { type: T }>

/** Starts nobody for a while. */
export function nothingFor(duration: Duration): Of<'nothingFor'> {
  return placed({ type: 'nothingFor', duration })
}

/** Open: starts so many sessions at once. */
export function atOnce(users: number): Of<'atOnceUsers'> {
  return placed({ type: 'atOnceUsers', users })
}

/** Open: starts so many sessions, spread evenly over the time. */
export function ramp(users: number, duration: Duration): Of<'rampUsers'> {
  return placed({ type: 'rampUsers', users, duration })
}

/** Open: starts `rate` sessions per second. */
export function constantRate(rate: number, duration: Duration): Of<'constantUsersPerSec'> {
  return placed({ type: 'constantUsersPerSec', rate, duration })
}

/** Open: starts sessions at a rate that goes from one value (per second) to another. */
export function rampRate(from: number, to: number, duration: Duration): Of<'rampUsersPerSec'> {
  return placed({ type: 'rampUsersPerSec', from, to, duration })
}

/** Open: starts so many sessions along a smooth step: few at the ends of the time, most in its middle. */
export function heaviside(users: number, duration: Duration): Of<'heavisideUsers'> {
  return placed({ type: 'heavisideUsers', users, duration })
}

/** Open: levels of a rate: `stairsRate({ from: 10, step: 10, times: 5, eachLevelLasting: '1m' })`. */
export function stairsRate(stairs: Stairs): Of<'incrementUsersPerSec'> {
  return placed({ type: 'incrementUsersPerSec', ...stairs })
}

/** Closed: keeps so many sessions going; one that ends is followed by another. */
export function constantUsers(users: number, duration: Duration): Of<'constantConcurrentUsers'> {
  return placed({ type: 'constantConcurrentUsers', users, duration })
}

/** Closed: keeps a number of sessions going that goes from one value to another. */
export function rampUsers(from: number, to: number, duration: Duration): Of<'rampConcurrentUsers'> {
  return placed({ type: 'rampConcurrentUsers', from, to, duration })
}

/** Closed: levels of sessions that are kept going. */
export function stairsUsers(stairs: Stairs): Of<'incrementConcurrentUsers'> {
  return placed({ type: 'incrementConcurrentUsers', ...stairs })
}

/** A fixed number of sessions, shared out over so many users (one by default). It stands alone in a profile. */
export function iterations(count: number, users = 1, options?: { readonly maxDuration?: Duration }): Of<'iterations'> {
  return placed({ type: 'iterations', iterations: count, users, ...options })
}

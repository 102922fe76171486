import type { Duration } from './duration.ts'
import type { ThrottleStep } from './load-types.ts'
import { placed } from './place.ts'

type Of<T extends ThrottleStep['type']> = Extract<ThrottleStep, { type: T }>

/** Moves the ceiling evenly to so many requests per second: `throttle: [reach(100, '10s'), hold('1m')]`. */
export function reach(rps: number, time: Duration): Of<'reach'> {
  return placed({ type: 'reach', rps, in: time })
}

/** Keeps the ceiling where it is. */
export function hold(time: Duration): Of<'hold'> {
  return placed({ type: 'hold', for: time })
}

/** Sets the ceiling at once. */
export function jump(rps: number): Of<'jump'> {
  return placed({ type: 'jump', rps })
}

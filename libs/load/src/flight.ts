import type { ClosedStep } from './closed.ts'
import { type Decimal, parts } from './decimal.ts'
import { millisOf, nanosOf } from './nanos.ts'
import { stairsOf } from './stairs.ts'

/**
 * Users from one whole level to another, one by one at even distances: as with arrivals, the first change comes after
 * one interval and the last at the end. A plan that is cut ends the flight before its own end, at `until`.
 */
export interface Flight {
  start: number
  end: number
  until: number
  from: number
  to: number
}

/** What each step of a closed profile means, in order; steps without any length are left out. */
export function flightsOf(inject: readonly ClosedStep[], startAfter: number): Flight[] {
  const flights: Flight[] = []
  let nanos = 0
  for (const step of inject) {
    for (const [from, to, length] of stretchesOf(step)) {
      const start = startAfter + millisOf(nanos)
      nanos += length
      const end = startAfter + millisOf(nanos)
      if (end > start) flights.push({ start, end, until: end, from, to })
    }
  }
  return flights
}

/** When change `k` (from 1) falls; the last one is the end itself. */
export function instantOf({ start, end, from, to }: Flight, k: number): number {
  const steps = Math.abs(to - from)
  return k >= steps ? end : start + ((end - start) * k) / steps
}

/** How many changes have come at `t`, which lies before the end. The division guesses, the instants decide. */
export function changesBy(flight: Flight, t: number): number {
  const steps = Math.abs(flight.to - flight.from)
  if (steps === 0 || t < flight.start) return 0
  const guess = Math.floor(((t - flight.start) / (flight.end - flight.start)) * steps)
  let k = Math.min(steps - 1, guess)
  while (k < steps - 1 && instantOf(flight, k + 1) <= t) k++
  while (k > 0 && instantOf(flight, k) > t) k--
  return k
}

export function changesBefore(flight: Flight, t: number): number {
  let k = changesBy(flight, t)
  while (k > 0 && instantOf(flight, k) >= t) k--
  return k
}

export function levelAfter({ from, to }: Flight, changes: number): number {
  return from + Math.sign(to - from) * changes
}

function* stretchesOf(step: ClosedStep): Generator<[from: number, to: number, nanos: number]> {
  switch (step.type) {
    case 'nothingFor':
      yield [0, 0, nanosOf(step.duration)]
      return
    case 'constantConcurrentUsers':
      yield [step.users, step.users, nanosOf(step.duration)]
      return
    case 'rampConcurrentUsers':
      yield [step.from, step.to, nanosOf(step.duration)]
      return
    case 'incrementConcurrentUsers':
      for (const { from, to, nanos } of stairsOf(step)) yield [wholeUsers(from), wholeUsers(to), nanos]
      return
    default:
      step satisfies never
  }
}

/** A level of 2.5 users keeps two going: the third is not reached. */
function wholeUsers(level: Decimal): number {
  return parts(level).whole
}

import type { ClosedInjection, OpenInjection } from '@onrush/protocol/injection'
import { changesBefore, changesBy, type Flight, flightsOf, instantOf, levelAfter } from './flight.ts'
import { largest } from './largest.ts'

export type ClosedStep = ClosedInjection | Extract<OpenInjection, { type: 'nothingFor' }>

/** Tells how many users are wanted at each moment: user `u` (from 0) is wanted at `t` exactly when `u < usersAt(t)`. */
export interface Crowd {
  usersAt(t: number): number
  /** The next instant after `t` at which `usersAt` changes; `Infinity` when it never does again. */
  nextChangeAfter(t: number): number
  /** The most users there are at once. */
  readonly peak: number
  /** The plan's own end, from which users only leave (`rampDown`) or are gone. */
  readonly endsAt: number
  /** When the last user is gone. */
  readonly duration: number
}

export interface CrowdOptions {
  /** The whole profile begins this much later (ms). */
  startAfter?: number | undefined
  /** The plan is cut this long after its own beginning (ms). */
  maxDuration?: number | undefined
  /** After the end the users leave one by one, evenly over this time, instead of all at once (ms). */
  rampDown?: number | undefined
}

export function openCrowd(inject: readonly ClosedStep[], options: CrowdOptions = {}): Crowd {
  const { startAfter = 0, maxDuration = Number.POSITIVE_INFINITY, rampDown = 0 } = options
  const planned = flightsOf(inject, startAfter)
  const endsAt = Math.min(planned.at(-1)?.end ?? startAfter, startAfter + maxDuration)
  const flights: Flight[] = [
    { start: Number.NEGATIVE_INFINITY, end: startAfter, until: startAfter, from: 0, to: 0 },
    ...planned
      .filter(({ start }) => start < endsAt)
      .map(flight => ({ ...flight, until: Math.min(flight.end, endsAt) })),
  ]
  const remaining = lastLevel(flights)
  if (rampDown > 0 && remaining > 0) {
    flights.push({ start: endsAt, end: endsAt + rampDown, until: endsAt + rampDown, from: remaining, to: 0 })
  }
  const at = (t: number): number => largest(0, flights.length - 1, i => (flights[i]?.start ?? 0) <= t)

  return {
    usersAt(t) {
      const flight = flights[at(t)]
      return flight === undefined || t >= flight.until ? 0 : levelAfter(flight, changesBy(flight, t))
    },
    nextChangeAfter(t) {
      for (let i = at(t); ; i++) {
        const flight = flights[i]
        if (flight === undefined || (i === flights.length - 1 && t >= flight.until)) return Number.POSITIVE_INFINITY
        const next = instantOf(flight, changesBy(flight, t) + 1)
        if (next < flight.until) return next
        // Where one stretch meets the next there is a change only if they do not go on from one another.
        const before = levelAfter(flight, changesBefore(flight, flight.until))
        if (before !== (flights[i + 1]?.from ?? 0)) return flight.until
      }
    },
    peak: flights.reduce((most, flight) => Math.max(most, flight.from, levelAtEnd(flight)), 0),
    endsAt,
    duration: flights.at(-1)?.until ?? endsAt,
  }
}

function levelAtEnd(flight: Flight): number {
  return levelAfter(flight, changesBefore(flight, flight.until))
}

/** Who is there to leave when the plan ends: a user that would come or go at that very instant is not. */
function lastLevel(flights: readonly Flight[]): number {
  const last = flights.at(-1)
  if (last === undefined) return 0
  return Math.min(levelAtEnd(last), last.until === last.end ? last.to : levelAfter(last, changesBy(last, last.until)))
}

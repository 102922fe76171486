import type { OpenInjection } from '@onrush/protocol/injection'
import { Cumulative } from './cumulative.ts'
import { largest } from './largest.ts'
import { openPieces } from './open-pieces.ts'
import { Scattered } from './scattered.ts'

/** Tells when each arrival of a plan is due. Arrivals are counted from 1; times are milliseconds after the start. */
export interface Pacer {
  /** When arrival `n` is due; `Infinity` once the plan has no such arrival. Asking in rising order is the fast way. */
  dueAt(n: number): number
  /** How many arrivals are due at `t` or before: the largest `n` with `dueAt(n) <= t`. */
  plannedBy(t: number): number
  /** The cumulative function itself, fractions included, for charts. */
  wantedBy(t: number): number
  /** All arrivals of the plan; `Infinity` where the last level holds forever. */
  readonly total: number
  /** When the plan ends, counted from the start and with `startAfter`. */
  readonly duration: number
  /** The highest rate per second; arrivals at one instant count as so many in that second. */
  readonly peak: number
}

export interface PacerOptions {
  arrivals?: 'uniform' | 'poisson' | undefined
  /** A whole number that is not negative; only Poisson arrivals use it. */
  seed?: number | undefined
  /** The whole profile begins this much later (ms). */
  startAfter?: number | undefined
  /** Arrivals due later than this after the profile's own beginning are not planned (ms). */
  maxDuration?: number | undefined
}

export function openPacer(inject: readonly OpenInjection[], options: PacerOptions = {}): Pacer {
  const { arrivals = 'uniform', seed = 0, startAfter = 0, maxDuration = Number.POSITIVE_INFINITY } = options
  const cumulative = new Cumulative(openPieces(inject))
  const length = Math.min(cumulative.duration, maxDuration)
  const total = cumulative.countBy(length)
  const limit = cumulative.valueAt(length)
  const scattered = arrivals === 'poisson' ? new Scattered(cumulative, seed, total, limit) : undefined
  const due = scattered ?? cumulative
  const dueAt = (n: number): number =>
    n > total ? Number.POSITIVE_INFINITY : startAfter + Math.min(length, due.dueAt(n))
  return {
    dueAt,
    plannedBy: t => largest(0, total, n => dueAt(n) <= t),
    wantedBy: t => Math.min(limit, cumulative.valueAt(t - startAfter)),
    total,
    duration: startAfter + length,
    peak: cumulative.peakBy(length),
  }
}

import type { Decimal } from './decimal.ts'

/** One step of a profile by itself: its arrivals counted from 0 at its own beginning. */
export interface Piece {
  readonly nanos: number
  /** How many arrivals it plans, fractions included; `undefined` when it never ends. */
  readonly amount: Decimal | undefined
  /**
   * Milliseconds after its beginning at which its arrivals reach `done`. `left` is what remains then; both are given
   * because each is exact near its own end of the piece, where the other has lost its digits.
   */
  timeOf(done: number, left: number): number
  /** Arrivals within the first `t` milliseconds. */
  doneBy(t: number): number
  /** Highest rate per second within the first `t` milliseconds; arrivals at one instant count as so many. */
  peakBy(t: number): number
}

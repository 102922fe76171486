import type { Cumulative } from './cumulative.ts'
import { Scatter } from './poisson.ts'

interface Stretch {
  first: number
  last: number
  /** `undefined` where the arrivals come at one instant: that is a number to keep, not a rate. */
  scatter: Scatter | undefined
}

/**
 * Moves the arrivals of a plan from their even places to Poisson ones. It neither adds nor removes any: each stretch
 * between instants keeps its count, and within a stretch the arrivals follow the rates.
 */
export class Scattered {
  readonly #cumulative: Cumulative
  readonly #stretches: Stretch[] = []
  #at = 0

  /** `total` and `limit`: the arrivals that are planned and the cumulative function's value where the plan is cut. */
  constructor(cumulative: Cumulative, seed: number, total: number, limit: number) {
    this.#cumulative = cumulative
    let from = 0
    let first = 1
    const close = (last: number, to: number): void => {
      const kept = Math.min(last, total)
      if (kept >= first) {
        this.#stretches.push({ first, last: kept, scatter: new Scatter(seed, first, kept, from, Math.min(to, limit)) })
      }
      first = last + 1
      from = to
    }
    for (const { piece, begin, finish } of cumulative.placed) {
      if (piece.nanos > 0) continue
      close(begin.whole, begin.whole + begin.fraction)
      if (finish.whole >= first) this.#stretches.push({ first, last: finish.whole, scatter: undefined })
      first = finish.whole + 1
      from = finish.whole + finish.fraction
    }
    const end = cumulative.placed.at(-1)?.finish
    if (end !== undefined) close(end.whole, end.whole + end.fraction)
  }

  dueAt(n: number): number {
    let stretch = this.#stretches[this.#at]
    while (stretch !== undefined && n < stretch.first) stretch = this.#stretches[--this.#at]
    while (stretch !== undefined && n > stretch.last) stretch = this.#stretches[++this.#at]
    if (stretch?.scatter === undefined) return this.#cumulative.dueAt(n)
    return this.#cumulative.reaches(stretch.scatter.placeOf(n))
  }
}

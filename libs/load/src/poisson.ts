import { Draws } from './random.ts'

// Halving more than 2^53 arrivals takes no more levels than this.
const deepest = 64

/**
 * Poisson arrivals whose n-th is a function of the seed and n alone, so that every split of the plan is exact.
 *
 * Given how many there are, the arrivals of a Poisson process lie like so many points thrown evenly at the cumulative
 * function's range; the plan says how many, so we only ask where the n-th of them in order lies. Between two known
 * neighbours the middle one of the `a + b − 1` points is Beta(a, b) distributed, drawn from the seed and its own number.
 * So each arrival is found by halving from both ends: O(log n) anywhere, and O(1) amortised in steps, because the path
 * down to the last one is kept. A slice that owns one arrival in s descends some log₂ s levels for each.
 */
export class Scatter {
  readonly #draws: Draws
  // The path from the whole down to the last answer: points `low` and `high` with their places, and the middle's.
  readonly #low = new Float64Array(deepest)
  readonly #high = new Float64Array(deepest)
  readonly #lowPlace = new Float64Array(deepest)
  readonly #highPlace = new Float64Array(deepest)
  readonly #middlePlace = new Float64Array(deepest)
  #depth = 0

  /** Points `first`…`last` thrown at the range `from`…`to`. */
  constructor(seed: number, first: number, last: number, from: number, to: number) {
    this.#draws = new Draws(seed, 'arrivals')
    this.#enter(0, first - 1, last + 1, from, to)
  }

  placeOf(n: number): number {
    let depth = this.#depth
    while (depth > 0 && !((this.#low[depth] ?? 0) < n && n < (this.#high[depth] ?? 0))) depth--
    for (;;) {
      const low = this.#low[depth] ?? 0
      const high = this.#high[depth] ?? 0
      const middle = middleOf(low, high)
      const place = this.#middlePlace[depth] ?? 0
      if (n === middle) {
        this.#depth = depth
        return place
      }
      if (n < middle) this.#enter(depth + 1, low, middle, this.#lowPlace[depth] ?? 0, place)
      else this.#enter(depth + 1, middle, high, place, this.#highPlace[depth] ?? 0)
      depth++
    }
  }

  #enter(depth: number, low: number, high: number, lowPlace: number, highPlace: number): void {
    const middle = middleOf(low, high)
    const beta = this.#draws.restart(middle).beta(middle - low, high - middle)
    this.#low[depth] = low
    this.#high[depth] = high
    this.#lowPlace[depth] = lowPlace
    this.#highPlace[depth] = highPlace
    this.#middlePlace[depth] = lowPlace + (highPlace - lowPlace) * beta
  }
}

function middleOf(low: number, high: number): number {
  return low + Math.floor((high - low) / 2)
}

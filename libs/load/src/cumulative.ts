import { type Decimal, parts, plus, zero } from './decimal.ts'
import { largest } from './largest.ts'
import { millisOf } from './nanos.ts'
import type { Piece } from './piece.ts'

/** A piece in its place: from `start` to `end` (ms), from `begin` to `finish` (arrivals, whole part and fraction). */
interface Placed {
  piece: Piece
  start: number
  end: number
  begin: { whole: number; fraction: number }
  finish: { whole: number; fraction: number }
}

/**
 * The cumulative function of a whole profile. Its pieces are added up as exact decimals, so what one step leaves over
 * (half an arrival, say) is carried into the next, and the count of arrivals is exact whatever the rates.
 */
export class Cumulative {
  readonly duration: number
  /** Whole arrivals: what is left over at the very end never becomes one. */
  readonly total: number
  readonly placed: readonly Placed[]
  // Where the last question was answered: the next one is nearly always there or one further.
  #at = 0

  constructor(pieces: Iterable<Piece>) {
    const placed: Placed[] = []
    let nanos = 0
    let sum: Decimal = zero
    for (const piece of pieces) {
      const start = millisOf(nanos)
      const begin = parts(sum)
      nanos += piece.nanos
      if (piece.amount !== undefined) sum = plus(sum, piece.amount)
      const finish = piece.amount === undefined ? { whole: Number.POSITIVE_INFINITY, fraction: 0 } : parts(sum)
      placed.push({ piece, start, end: millisOf(nanos), begin, finish })
    }
    this.placed = placed
    this.duration = millisOf(nanos)
    this.total = placed.at(-1)?.finish.whole ?? 0
  }

  /** When the function reaches the whole number `n`. */
  dueAt(n: number): number {
    if (n > this.total) return Number.POSITIVE_INFINITY
    return timeIn(this.#pieceOf(n), n, 0)
  }

  /** When it reaches any value, for arrivals that do not fall on whole numbers. */
  reaches(value: number): number {
    const whole = Math.floor(value)
    const fraction = value - whole
    // The whole number at or above the value is reached in the same piece or a later one, never an earlier one.
    let place = this.#pieceOf(Math.min(Math.ceil(value), this.total))
    while (this.#at > 0 && !isAfter(whole, fraction, place.begin)) place = this.#move(this.#at - 1)
    while (this.#at < this.placed.length - 1 && isAfter(whole, fraction, place.finish)) place = this.#move(this.#at + 1)
    return timeIn(place, whole, fraction)
  }

  valueAt(t: number): number {
    if (t < 0) return 0
    const place = this.placed[largest(0, this.placed.length - 1, i => (this.placed[i]?.start ?? 0) <= t)]
    if (place === undefined) return 0
    const { piece, begin, finish } = place
    if (t >= place.end) return finish.whole + finish.fraction
    return begin.whole + (begin.fraction + piece.doneBy(t - place.start))
  }

  /** The largest whole `n` with `dueAt(n) <= t`: an estimate from the function, then made true of `dueAt` itself. */
  countBy(t: number): number {
    if (t >= this.duration) return this.total
    let n = Math.min(this.total, Math.floor(this.valueAt(t)))
    while (n < this.total && this.dueAt(n + 1) <= t) n++
    while (n > 0 && this.dueAt(n) > t) n--
    return n
  }

  /** Highest rate per second up to `t`. */
  peakBy(t: number): number {
    const begun = this.placed.filter(({ start }) => start <= t)
    return begun.reduce((most, { piece, start, end }) => Math.max(most, piece.peakBy(Math.min(t, end) - start)), 0)
  }

  #pieceOf(n: number): Placed {
    const here = this.placed[this.#at]
    if (here !== undefined && n > here.begin.whole && n <= here.finish.whole) return here
    const next = this.placed[this.#at + 1]
    if (next !== undefined && n > next.begin.whole && n <= next.finish.whole) return this.#move(this.#at + 1)
    return this.#move(largest(0, this.placed.length - 1, i => (this.placed[i]?.begin.whole ?? 0) < n))
  }

  #move(at: number): Placed {
    const place = this.placed[at]
    if (place === undefined) throw new RangeError(`this profile has ${this.placed.length} pieces, none at ${at}`)
    this.#at = at
    return place
  }
}

function isAfter(whole: number, fraction: number, mark: { whole: number; fraction: number }): boolean {
  return whole > mark.whole || (whole === mark.whole && fraction > mark.fraction)
}

function timeIn(place: Placed, whole: number, fraction: number): number {
  const { piece, start, end, begin, finish } = place
  // Whole parts first: their difference is exact, and the fractions then lose nothing to large counts.
  const done = whole - begin.whole + (fraction - begin.fraction)
  const left = finish.whole - whole + (finish.fraction - fraction)
  return Math.min(end, start + Math.max(0, piece.timeOf(done, left)))
}

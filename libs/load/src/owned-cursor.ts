import type { Holding, Span } from './holding.ts'
import { OwnedClasses } from './owned-classes.ts'

/** Which thread of how many, from 0. */
export interface Slice {
  thread: number
  threads: number
}

/**
 * Steps through the numbers one slice owns, in rising order. Works for arrivals (from 1) and users (from 0).
 *
 * Within each span of the holding, the k-th owned number (from 0, counted from number 0 whether or not the span reaches
 * back so far) belongs to thread `k mod threads`: a function of the number and the share alone, so threads agree without
 * asking, and a span taken over in mid-run is divided the same way by all of them.
 */
export class OwnedCursor {
  readonly #slice: Slice
  #lanes: Lane[] = []
  // The lane whose turn it is; found once per step, not once per look.
  #first: Lane | undefined

  /** `from` is 1 for arrivals and slots, 0 for users: there is no arrival 0, but whoever owns class 0 owns the number. */
  constructor(holding: Holding, slice: Slice, from: number) {
    this.#slice = slice
    this.revise(holding)
    this.skipTo(from)
  }

  /** The next owned number, not taken yet; `Infinity` when there is none. */
  peek(): number {
    return this.#first === undefined ? Number.POSITIVE_INFINITY : this.#first.peek
  }

  /** Takes it. */
  next(): number {
    const n = this.peek()
    this.#first?.step()
    this.#choose()
    return n
  }

  /** Forgets owned numbers below `n`. Never goes back. */
  skipTo(n: number): void {
    for (const lane of this.#lanes) lane.skipTo(n)
    this.#choose()
  }

  /** Ownership has changed: same spans shortened, new ones added. What was taken stays taken. */
  revise(holding: Holding): void {
    this.#lanes = holding.map((span, i) => {
      const lane = this.#lanes[i]
      if (lane === undefined) return new Lane(span, this.#slice)
      lane.shorten(span.upTo)
      return lane
    })
    this.#choose()
  }

  /** How many numbers below `n` this slice owns, taken or not. */
  countBelow(n: number): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.countBelow(n), 0)
  }

  /** How many owned numbers lie in `after < n <= upTo`: of arrivals, which begin at 1, `countIn(0, pacer.total)`. */
  countIn(after: number, upTo: number): number {
    return this.countBelow(upTo + 1) - this.countBelow(after + 1)
  }

  /** The k-th owned number, from 0, taken or not; `Infinity` past the end. */
  at(k: number): number {
    const only = this.#lanes.length === 1 ? this.#lanes[0] : undefined
    if (only !== undefined) return only.at(k)
    // Spans interleave: the answer is the smallest number with more than k owned at or below it.
    let low = 0
    let high = 1
    while (this.countBelow(high) <= k) {
      if (high > 2 ** 52) return Number.POSITIVE_INFINITY
      high *= 2
    }
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.countBelow(middle + 1) > k) high = middle
      else low = middle + 1
    }
    return low
  }

  #choose(): void {
    let first = this.#lanes[0]
    for (let i = 1; i < this.#lanes.length; i++) {
      const lane = this.#lanes[i]
      if (first === undefined || (lane !== undefined && lane.peek < first.peek)) first = lane
    }
    this.#first = first
  }
}

/** One span as one thread sees it: every `threads`-th of its owned numbers. */
class Lane {
  peek: number
  readonly #owned: OwnedClasses
  readonly #slice: Slice
  readonly #after: number
  #upTo: number
  #k: number

  constructor(span: Span, slice: Slice) {
    this.#owned = new OwnedClasses(span.share)
    this.#slice = slice
    this.#after = span.after
    this.#upTo = span.upTo ?? Number.POSITIVE_INFINITY
    this.#k = this.#mine(span.after + 1)
    this.peek = this.#number()
  }

  step(): void {
    this.#k += this.#slice.threads
    this.peek = this.#number()
  }

  skipTo(n: number): void {
    this.#k = Math.max(this.#k, this.#mine(n))
    this.peek = this.#number()
  }

  shorten(upTo: number | undefined): void {
    this.#upTo = upTo ?? Number.POSITIVE_INFINITY
    this.peek = this.#number()
  }

  countBelow(n: number): number {
    const end = Math.min(n, this.#upTo + 1)
    return Math.max(0, this.#turns(end) - this.#turns(this.#after + 1))
  }

  at(k: number): number {
    const n = this.#owned.at(this.#mine(this.#after + 1) + k * this.#slice.threads)
    return n > this.#upTo ? Number.POSITIVE_INFINITY : n
  }

  #number(): number {
    const n = this.#owned.at(this.#k)
    return n > this.#upTo ? Number.POSITIVE_INFINITY : n
  }

  /** The place among all owned numbers of this thread's first one at `n` or above. */
  #mine(n: number): number {
    return this.#turns(n) * this.#slice.threads + this.#slice.thread
  }

  /** How many of the owned numbers below `n` are this thread's. */
  #turns(n: number): number {
    const { thread, threads } = this.#slice
    return Math.max(0, Math.ceil((this.#owned.countBelow(n) - thread) / threads))
  }
}

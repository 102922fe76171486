import { bucketCount, bucketOf, highestOf, middleOf, toMicros } from './buckets.ts'

const pageSize = 256
const pageCount = bucketCount / pageSize

/**
 * Counts that can be added up. Adding adds buckets, so the result is the same in any order and any grouping. Counts and
 * the sum are whole numbers in doubles: exact up to 2⁵³, which is 285 years of latency in microseconds. Pages exist
 * where something was counted: services spread over 3 to 10 octaves of the 23.
 */
export class Histogram {
  count = 0
  sum = 0
  /** Exact over everything counted; over one second of a run it may be the bucket's bound (0.1 %) instead. */
  max = 0
  min = Number.POSITIVE_INFINITY
  readonly #pages: (Float64Array | undefined)[] = []

  /** For values that do not come from shared memory. */
  record(micros: number): void {
    const value = toMicros(micros)
    this.addBucket(bucketOf(value), 1)
    this.sum += value
    this.widen(value, value)
  }

  /** Counts; the sum of the values and their extremes are the caller's to add. */
  addBucket(bucket: number, times: number): void {
    const at = bucket >>> 8
    let page = this.#pages[at]
    if (page === undefined) {
      page = new Float64Array(pageSize)
      this.#pages[at] = page
    }
    const slot = bucket & (pageSize - 1)
    page[slot] = (page[slot] ?? 0) + times
    this.count += times
  }

  widen(min: number, max: number): void {
    if (min < this.min) this.min = min
    if (max > this.max) this.max = max
  }

  add(other: Histogram): void {
    for (let at = 0; at < pageCount; at++) {
      const theirs = other.#pages[at]
      if (theirs === undefined) continue
      let page = this.#pages[at]
      if (page === undefined) {
        page = new Float64Array(pageSize)
        this.#pages[at] = page
      }
      for (let i = 0; i < pageSize; i++) page[i] = (page[i] ?? 0) + (theirs[i] ?? 0)
    }
    this.count += other.count
    this.sum += other.sum
    this.widen(other.min, other.max)
  }

  /** Keeps the pages, which the next second needs again. */
  clear(): void {
    if (this.count > 0) {
      for (const page of this.#pages) page?.fill(0)
    }
    this.count = 0
    this.sum = 0
    this.max = 0
    this.min = Number.POSITIVE_INFINITY
  }

  /** Every bucket that counted something, from the lowest up, for as long as `visit` answers true. */
  scan(visit: (bucket: number, times: number) => boolean): void {
    for (let at = 0; at < pageCount; at++) {
      const page = this.#pages[at]
      if (page === undefined) continue
      for (let i = 0; i < pageSize; i++) {
        const times = page[i] ?? 0
        if (times > 0 && !visit(at * pageSize + i, times)) return
      }
    }
  }

  /** The value that `percent` of all values do not exceed, never outside of what was measured. 0 when nothing was. */
  percentile(percent: number): number {
    return this.percentiles([percent])[0] ?? 0
  }

  /** Several at once, in rising order, for one walk over the buckets. */
  percentiles(percents: readonly number[]): number[] {
    const found: number[] = percents.map(() => 0)
    if (this.count === 0) return found
    const wanted = percents.map(percent => {
      // The product may land one rounding above a whole number, which must not skip to the next value: hence the nudge.
      const exact = (Math.min(percent, 100) / 100) * this.count
      return Math.max(1, Math.ceil(exact - exact * Number.EPSILON))
    })
    let seen = 0
    let next = 0
    this.scan((bucket, times) => {
      seen += times
      while (next < wanted.length && seen >= (wanted[next] ?? 0)) {
        found[next++] = Math.max(this.min, Math.min(highestOf(bucket), this.max))
      }
      return next < wanted.length
    })
    return found
  }

  get mean(): number {
    return this.count === 0 ? 0 : this.sum / this.count
  }

  /** From the middle of each bucket around their own mean: merging changes nothing, and equal values deviate by 0. */
  get stddev(): number {
    if (this.count === 0) return 0
    // Distances from a whole number near the mean, so that squares stay small enough to be subtracted.
    const near = middleOf(bucketOf(toMicros(this.mean)))
    let sum = 0
    let squares = 0
    this.scan((bucket, times) => {
      const distance = middleOf(bucket) - near
      sum += times * distance
      squares += times * distance * distance
      return true
    })
    return Math.sqrt(Math.max(0, squares - (sum * sum) / this.count) / this.count)
  }

  /** How many values lie above; the bucket that holds `micros` itself does not count as above. */
  countAbove(micros: number): number {
    const limit = bucketOf(toMicros(micros))
    let above = 0
    this.scan((bucket, times) => {
      if (bucket > limit) above += times
      return true
    })
    return above
  }
}

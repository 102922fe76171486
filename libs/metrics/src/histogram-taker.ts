import { highestOf, lowestOf, octaveSize, octaves } from './buckets.ts'
import type { Histogram } from './histogram.ts'
import { headWords, largest, restHigh, restLow, smallest, touched, writes } from './shared-histogram.ts'
import { TakenWords } from './taken-words.ts'

/** The reader's side of a shared histogram: adds to a histogram what was counted since the last time. */
export class HistogramTaker {
  readonly #words: Uint32Array
  readonly #buckets: number
  readonly #head: TakenWords
  readonly #taken: (Uint32Array | undefined)[] = []
  #largest = 0
  #smallest = 0

  constructor(words: Uint32Array, head: number, buckets: number) {
    this.#words = words
    this.#buckets = buckets
    this.#head = new TakenWords(words, head, headWords)
  }

  /** `all` looks even where the number of writes has not changed, which another core may show late. */
  takeInto(target: Histogram, all: boolean): void {
    // First, so that what is written during the scan is not taken for seen.
    if (this.#head.delta(writes) === 0 && !all) return
    const words = this.#words
    let first = -1
    let last = -1
    let sum = 0
    for (let octave = 0; octave < octaves; octave++) {
      if (this.#head.read(touched + octave) === 0) continue
      let taken = this.#taken[octave]
      if (taken === undefined) {
        taken = new Uint32Array(octaveSize)
        this.#taken[octave] = taken
      }
      const from = this.#buckets + octave * octaveSize
      for (let i = 0; i < octaveSize; i++) {
        const now = words[from + i] ?? 0
        const was = taken[i] ?? 0
        if (now === was) continue
        taken[i] = now
        const bucket = octave * octaveSize + i
        const times = (now - was) >>> 0
        target.addBucket(bucket, times)
        sum += times * lowestOf(bucket)
        if (first < 0) first = bucket
        last = bucket
      }
    }
    target.sum += sum + this.#head.delta(restLow) + this.#head.delta(restHigh) * 2048
    this.#takeExtremes(target, first, last, all)
  }

  /**
   * The words hold the extremes of the whole run. Where one has moved it is this second's own, exactly; otherwise this
   * second's lies in its outermost bucket. So a second is right within a bucket, and a run is right to the microsecond.
   */
  #takeExtremes(target: Histogram, first: number, last: number, all: boolean): void {
    const max = this.#head.read(largest)
    const distance = this.#head.read(smallest)
    if (last < 0) {
      const moved = max !== this.#largest || distance !== this.#smallest
      if (all && moved) target.widen(0xffffffff - distance, max)
      return
    }
    const upper = max === this.#largest ? Math.min(highestOf(last), max) : max
    const lower = distance === this.#smallest ? Math.max(lowestOf(first), 0xffffffff - distance) : 0xffffffff - distance
    // A bucket may be seen before its extreme; then the bucket's own bound stands in until the extreme follows.
    target.widen(Math.min(lower, highestOf(first)), Math.max(upper, lowestOf(last)))
    this.#largest = max
    this.#smallest = distance
  }
}

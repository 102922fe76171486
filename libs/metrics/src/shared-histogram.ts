import { bucketCount, octaveSize, octaves, shiftOf, toMicros } from './buckets.ts'

/**
 * A histogram in memory that a reader on another thread looks at while it grows: one writer, plain 32-bit words, which
 * the memory model never shows half written. Head and buckets lie apart, so that the buckets' pages of memory (an
 * octave is one page of 4 KB) exist only where something was counted.
 */
export const writes = 0
export const restLow = 1
export const restHigh = 2
export const largest = 3
/** Kept as its distance from 2³² - 1, so that fresh memory means "none yet" and both extremes only grow. */
export const smallest = 4
export const touched = 5
export const headWords = touched + octaves + 4
export const histogramBuckets = bucketCount

export class SharedHistogram {
  readonly #words: Uint32Array
  readonly #head: number
  readonly #buckets: number

  constructor(words: Uint32Array, head: number, buckets: number) {
    this.#words = words
    this.#head = head
    this.#buckets = buckets
  }

  record(micros: number): void {
    const words = this.#words
    const head = this.#head
    const value = toMicros(micros)
    const shift = shiftOf(value)
    const bucket = shift * octaveSize + (value >>> shift)
    if (value > (words[head + largest] ?? 0)) words[head + largest] = value
    const distance = 0xffffffff - value
    if (distance > (words[head + smallest] ?? 0)) words[head + smallest] = distance
    if (shift > 0) {
      // What the bucket does not tell, at most 21 bits, so that sums stay exact; in two words for the reason that
      // wide-counter gives.
      const rest = value & ((1 << shift) - 1)
      words[head + restLow] = (words[head + restLow] ?? 0) + (rest & 2047)
      words[head + restHigh] = (words[head + restHigh] ?? 0) + (rest >>> 11)
    }
    const at = this.#buckets + bucket
    words[at] = (words[at] ?? 0) + 1
    words[head + touched + (bucket >>> 10)] = 1
    words[head + writes] = (words[head + writes] ?? 0) + 1
  }
}

/**
 * A reader's memory of what it has already taken from counters that another thread only ever increases. Counters are
 * never reset, so there is no instant at which a count could fall between reading and resetting; they may wrap, which
 * an unsigned difference does not notice.
 */
export class TakenWords {
  readonly #words: Uint32Array
  readonly #at: number
  readonly #taken: Uint32Array

  constructor(words: Uint32Array, at: number, length: number) {
    this.#words = words
    this.#at = at
    this.#taken = new Uint32Array(length)
  }

  /** The word as it is, for identifiers that do not count. */
  read(word: number): number {
    return this.#words[this.#at + word] ?? 0
  }

  readonly delta = (word: number): number => {
    const now = this.#words[this.#at + word] ?? 0
    const grown = (now - (this.#taken[word] ?? 0)) >>> 0
    this.#taken[word] = now
    return grown
  }
}

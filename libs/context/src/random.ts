/**
 * sfc32: 128 bits of state, a nanosecond a number, passes PractRand. The run's seed and the session's number give the
 * stream, so a session draws the same values on whichever thread or worker it runs.
 */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number, session: number) {
    this.#a = seed | 0
    // Seeds above 32 bits keep their upper half; sessions are counted far below 2^53.
    this.#b = (seed / 0x1_0000_0000) | 0
    this.#c = session | 0
    // Neighbouring sessions differ in one bit: twelve rounds spread it over the whole state (as the author of sfc advises).
    for (let round = 0; round < 12; round++) this.bits()
  }

  /** 32 random bits as a signed integer. */
  bits(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    this.#c |= 0
    return sum
  }

  /** In [0, 1) with 53 bits. */
  float(): number {
    return ((this.bits() >>> 5) * 0x400_0000 + (this.bits() >>> 6)) / 0x20_0000_0000_0000
  }

  /** A whole number in [low, high], both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.float() * (high - low + 1))
  }
}

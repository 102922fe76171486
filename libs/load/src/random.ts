/**
 * Random numbers that are a function of a seed and a key, so that any thread of any worker draws the same ones for the
 * same arrival. Only integer operations, and above them only `sqrt` and `log`, which every V8 computes alike.
 */
export class Draws {
  #a = 0
  #b = 0
  readonly #low: number
  readonly #high: number

  /** One seed serves several purposes; without a `purpose` of its own, the rows drawn would follow the gaps drawn. */
  constructor(seed: number, purpose: 'arrivals' | 'rows' | 'order') {
    const salt = { arrivals: 1, rows: 2, order: 3 }[purpose]
    this.#low = mix((seed >>> 0) ^ mix(salt))
    this.#high = mix((Math.floor(seed / 2 ** 32) + 0x9e3779b9) | 0)
  }

  /** Starts the sequence that belongs to `key` (a whole number that is not negative). */
  restart(key: number): this {
    const low = mix((key >>> 0) ^ this.#low)
    const high = mix(Math.floor(key / 2 ** 32) ^ this.#high)
    this.#a = mix(low ^ high) | 1 // never both zero, where the generator would stand still
    this.#b = mix((low + Math.imul(high, 0x85ebca6b)) | 0)
    return this
  }

  /** xoroshiro64** by Blackman and Vigna: 32 bits. */
  bits(): number {
    const a = this.#a
    const mixed = this.#b ^ a
    const product = Math.imul(a, 0x9e3779bb)
    this.#a = ((a << 26) | (a >>> 6)) ^ mixed ^ (mixed << 9)
    this.#b = (mixed << 13) | (mixed >>> 19)
    return Math.imul((product << 5) | (product >>> 27), 5) >>> 0
  }

  /** Between 0 and 1, never either. */
  uniform(): number {
    return ((this.bits() >>> 5) * 67_108_864 + (this.bits() >>> 6) + 0.5) / 2 ** 53
  }

  /** Marsaglia's polar method, one of its two values. */
  normal(): number {
    for (;;) {
      const x = 2 * this.uniform() - 1
      const y = 2 * this.uniform() - 1
      const s = x * x + y * y
      if (s < 1 && s > 0) return x * Math.sqrt((-2 * Math.log(s)) / s)
    }
  }

  /** The waiting time for the `shape`-th event of a unit-rate Poisson process (Marsaglia and Tsang's method). */
  gamma(shape: number): number {
    if (shape === 1) return -Math.log(this.uniform())
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const x = this.normal()
      const v = (1 + c * x) ** 3
      if (v <= 0) continue
      if (Math.log(this.uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v
    }
  }

  /** Where the a-th of a + b − 1 points thrown evenly at (0, 1) lies. */
  beta(a: number, b: number): number {
    const left = this.gamma(a)
    return left / (left + this.gamma(b))
  }
}

/** The finishing steps of MurmurHash3: every input bit moves every output bit. */
export function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) | 0
}

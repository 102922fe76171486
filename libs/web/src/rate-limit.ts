export interface RateLimitSettings {
  /** How many at once. */
  readonly burst: number
  /** How many per second after that. */
  readonly perSecond: number
  /** Keys remembered; beyond, the fullest buckets go, which lose nothing by it. */
  readonly mostKeys?: number
}

/** A bucket of tokens per key, filled with time. Pure but for the clock it is given. */
export class RateLimit {
  readonly #settings: Required<RateLimitSettings>
  readonly #now: () => number
  readonly #buckets = new Map<string, { left: number; at: number }>()

  constructor(settings: RateLimitSettings, now: () => number) {
    this.#settings = { mostKeys: 10_000, ...settings }
    this.#now = now
  }

  /** Takes one; false when there is none left. */
  take(key: string): boolean {
    const { burst, perSecond, mostKeys } = this.#settings
    const now = this.#now()
    const known = this.#buckets.get(key) ?? { left: burst, at: now }
    const left = Math.min(burst, known.left + ((now - known.at) / 1000) * perSecond)
    // Moved to the end, so that the map's order is that of use and its beginning the longest unused.
    this.#buckets.delete(key)
    this.#buckets.set(key, { left: left < 1 ? left : left - 1, at: now })
    if (this.#buckets.size > mostKeys) this.#buckets.delete(this.#buckets.keys().next().value ?? '')
    return left >= 1
  }

  /** Puts one back: what it was taken for was no attempt after all. */
  giveBack(key: string): void {
    const known = this.#buckets.get(key)
    if (known !== undefined) known.left = Math.min(this.#settings.burst, known.left + 1)
  }

  /** Seconds until one more is there. */
  waitFor(key: string): number {
    const left = this.#buckets.get(key)?.left ?? this.#settings.burst
    return left >= 1 ? 0 : Math.ceil((1 - left) / this.#settings.perSecond)
  }
}

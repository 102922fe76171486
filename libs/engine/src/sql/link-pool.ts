import type { Database, Link } from './database.ts'

/** Who wants a connection: it gets one or is told why not, once, unless it has been forgotten before. */
export interface Waiter {
  granted(link: Link, connectMicros: number): void
  refused(error: unknown): void
}

/** The connections of one database in one thread: as many as are wanted at once, up to a number; others wait in order. */
export class LinkPool {
  readonly #database: Database
  readonly #most: number
  readonly #free: Link[] = []
  readonly #waiting = new Set<Waiter>()
  #open = 0
  #opening = 0

  constructor(database: Database, most: number) {
    this.#database = database
    this.#most = most
  }

  /** Connections that are open or being opened. */
  get size(): number {
    return this.#open + this.#opening
  }

  get inUse(): number {
    return this.#open - this.#free.length
  }

  /** A connection that is free now; otherwise the waiter is put in the queue. */
  take(waiter: Waiter): Link | undefined {
    for (let link = this.#free.pop(); link !== undefined; link = this.#free.pop()) {
      if (link.usable) return link
      this.#drop(link, 'it ended while it was idle')
    }
    this.#waiting.add(waiter)
    this.#openMore()
    return undefined
  }

  forget(waiter: Waiter): void {
    this.#waiting.delete(waiter)
  }

  give(link: Link): void {
    if (!link.usable) {
      this.#drop(link, 'it has ended')
      this.#openMore()
      return
    }
    this.#pass(link, 0)
  }

  /** A connection that must not be used again. */
  discard(link: Link, why: string): void {
    this.#drop(link, why)
    this.#openMore()
  }

  /** Opens as many as are wanted before the start. Rejects with the first error. */
  async warm(count: number): Promise<void> {
    await Promise.all(
      Array.from({ length: Math.min(count, this.#most) }, async () => {
        this.#opening++
        try {
          const link = await this.#database.open()
          this.#open++
          this.#free.push(link)
        } finally {
          this.#opening--
        }
      }),
    )
  }

  async close(): Promise<void> {
    this.#free.length = 0
    await this.#database.close()
  }

  /** One for each that waits: those that are being opened are spoken for. */
  #openMore(): void {
    while (this.#opening < this.#waiting.size && this.size < this.#most) {
      this.#opening++
      void this.#openOne()
    }
  }

  async #openOne(): Promise<void> {
    const began = performance.now()
    try {
      const link = await this.#database.open()
      this.#opening--
      this.#open++
      this.#pass(link, Math.max(1, Math.round((performance.now() - began) * 1000)))
    } catch (error) {
      this.#opening--
      // One attempt, one failure: whoever waits longest hears of it, the others have an attempt of their own.
      this.#next()?.refused(error)
      this.#openMore()
    }
  }

  #pass(link: Link, connectMicros: number): void {
    const waiter = this.#next()
    if (waiter === undefined) this.#free.push(link)
    else waiter.granted(link, connectMicros)
  }

  #next(): Waiter | undefined {
    const { value } = this.#waiting.values().next()
    if (value !== undefined) this.#waiting.delete(value)
    return value
  }

  #drop(link: Link, why: string): void {
    this.#open--
    link.discard(why)
  }
}

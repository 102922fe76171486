interface Turn<T> {
  readonly kind: string
  readonly result: Promise<T>
}

/** Does one thing at a time. Those who wait for the same kind of thing share the next one: it begins after all of them. */
export class Turns<T> {
  #running: Turn<T> | undefined
  #waiting: Turn<T>[] = []

  /** What is under way now, if it is of this kind. */
  running(kinds: readonly string[]): Promise<T> | undefined {
    return this.#running !== undefined && kinds.includes(this.#running.kind) ? this.#running.result : undefined
  }

  get isIdle(): boolean {
    return this.#running === undefined
  }

  take(kind: string, work: () => Promise<T>): Promise<T> {
    const same = this.#waiting.find(turn => turn.kind === kind)
    if (same !== undefined) return same.result
    const before = this.#waiting.at(-1) ?? this.#running
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const turn: Turn<T> = { kind, result: promise }
    if (before === undefined) this.#running = turn
    else this.#waiting.push(turn)
    const run = async () => {
      // How the one before ended is its own callers' business.
      await before?.result.catch(() => undefined)
      this.#waiting = this.#waiting.filter(each => each !== turn)
      this.#running = turn
      try {
        return await work()
      } finally {
        // Before anybody hears of the result, and only where no other follows at once.
        if (this.#waiting.length === 0) this.#running = undefined
      }
    }
    run().then(resolve, reject)
    return promise
  }
}

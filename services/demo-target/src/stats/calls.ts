export interface CallsView {
  readonly seen: number
  readonly completed: number
  readonly aborted: number
  readonly inFlight: number
  readonly codes: Readonly<Record<string, number>>
}

/** The calls of one method, by the code they were answered with. */
class CallTally {
  seen = 0
  completed = 0
  aborted = 0
  readonly codes = new Map<number, number>()

  toJSON(): CallsView {
    const { seen, completed, aborted } = this
    return { seen, completed, aborted, inFlight: seen - completed - aborted, codes: Object.fromEntries(this.codes) }
  }
}

/** One remote call in the books: opened when it came, closed exactly once. */
export class CallEntry {
  readonly #tally: CallTally
  #open = true

  constructor(tally: CallTally) {
    this.#tally = tally
    tally.seen++
  }

  complete(code: number): void {
    if (!this.#open) return
    this.#open = false
    this.#tally.completed++
    this.#tally.codes.set(code, (this.#tally.codes.get(code) ?? 0) + 1)
  }

  abort(): void {
    if (!this.#open) return
    this.#open = false
    this.#tally.aborted++
  }
}

/** Remote calls by method, which is a name that the target itself knows. */
export class Calls {
  readonly #methods = new Map<string, CallTally>()

  begin(method: string): CallEntry {
    let tally = this.#methods.get(method)
    if (tally === undefined) {
      tally = new CallTally()
      this.#methods.set(method, tally)
    }
    return new CallEntry(tally)
  }

  toJSON(): Record<string, CallsView> {
    return Object.fromEntries([...this.#methods].map(([method, tally]) => [method, tally.toJSON()]))
  }
}

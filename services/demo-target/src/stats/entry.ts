import type { Period } from './period.ts'
import type { RouteTally, Tally } from './tally.ts'

/** One request in the books: opened when its head has been read, closed exactly once, as completed or as aborted. */
export class Entry {
  readonly #method: string
  readonly #total: Tally
  readonly #route: RouteTally
  readonly #name: Tally | undefined
  #open = true

  constructor(period: Period, method: string, template: string, name: string | undefined) {
    this.#method = method
    this.#total = period.total
    this.#route = period.route(template)
    this.#name = name === undefined ? undefined : period.name(name)
    this.#total.seen++
    this.#route.seen++
    if (this.#name !== undefined) this.#name.seen++
  }

  received(bytes: number): void {
    this.#total.received += bytes
    this.#route.received += bytes
    if (this.#name !== undefined) this.#name.received += bytes
  }

  sent(bytes: number): void {
    this.#total.sent += bytes
    this.#route.sent += bytes
    if (this.#name !== undefined) this.#name.sent += bytes
  }

  complete(status: number): void {
    if (!this.#open) return
    this.#open = false
    this.#total.complete(status)
    this.#route.completeMethod(this.#method, status)
    this.#name?.complete(status)
  }

  abort(): void {
    if (!this.#open) return
    this.#open = false
    this.#total.aborted++
    this.#route.aborted++
    if (this.#name !== undefined) this.#name.aborted++
  }
}

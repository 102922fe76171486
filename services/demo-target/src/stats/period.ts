import { Calls } from './calls.ts'
import { Rows } from './rows.ts'
import { RouteTally, Tally, type TallyView } from './tally.ts'

/** Names come from clients: beyond this many the rest is counted together, never lost. */
const mostNames = 10_000

/** Where the counts of unknown paths, and of names beyond the limit, go. */
export const other = '(other)'

/** Everything counted between two resets. A request belongs to the period in which it began, to its end. */
export class Period {
  readonly since = new Date()
  readonly total = new Tally()
  readonly rows = new Rows()
  readonly grpc = new Calls()
  /** Calls inside requests to `/rpc`, of which a batch holds several. */
  readonly rpc = new Calls()
  opened = 0
  used = 0
  readonly #routes = new Map<string, RouteTally>()
  readonly #names = new Map<string, Tally>()

  route(template: string): RouteTally {
    let tally = this.#routes.get(template)
    if (tally === undefined) {
      tally = new RouteTally()
      this.#routes.set(template, tally)
    }
    return tally
  }

  name(name: string): Tally {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    if (this.#names.size >= mostNames && name !== other) return this.name(other)
    const tally = new Tally()
    this.#names.set(name, tally)
    return tally
  }

  toJSON() {
    const responses: Record<string, number> = {}
    for (const [template, tally] of this.#routes)
      for (const [method, statuses] of tally.methods)
        for (const [status, count] of statuses) responses[`${method} ${template} ${status}`] = count
    return {
      since: this.since.toISOString(),
      ...this.total.toJSON(),
      responses,
      routes: viewOf(this.#routes),
      names: viewOf(this.#names),
      grpc: this.grpc.toJSON(),
      rpc: this.rpc.toJSON(),
    }
  }
}

function viewOf(tallies: ReadonlyMap<string, Tally>): Record<string, TallyView> {
  return Object.fromEntries([...tallies].map(([key, tally]) => [key, tally.toJSON()]))
}

export interface TallyView {
  readonly seen: number
  readonly completed: number
  readonly aborted: number
  readonly inFlight: number
  readonly bytes: { readonly received: number; readonly sent: number }
  readonly statuses: Readonly<Record<string, number>>
}

/** Counts of one thing (everything, a route, a name). What is neither completed nor aborted is still being answered. */
export class Tally {
  seen = 0
  completed = 0
  aborted = 0
  received = 0
  sent = 0
  readonly statuses = new Map<number, number>()

  complete(status: number): void {
    this.completed++
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  toJSON(): TallyView {
    return {
      seen: this.seen,
      completed: this.completed,
      aborted: this.aborted,
      inFlight: this.seen - this.completed - this.aborted,
      bytes: { received: this.received, sent: this.sent },
      statuses: Object.fromEntries(this.statuses),
    }
  }
}

/** A route's counts, kept apart by method as well. */
export class RouteTally extends Tally {
  readonly methods = new Map<string, Map<number, number>>()

  completeMethod(method: string, status: number): void {
    this.complete(status)
    let statuses = this.methods.get(method)
    if (statuses === undefined) {
      statuses = new Map()
      this.methods.set(method, statuses)
    }
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
}

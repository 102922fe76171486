import type { CallEntry } from './calls.ts'
import { Entry } from './entry.ts'
import { Period } from './period.ts'

/** A client's connection, and the last period in which it carried a request that counts. */
export class Connection {
  lastUsedIn: Period | undefined
}

/** The books of the target. A reset starts a new period; what is under way then stays in the old one. */
export class Stats {
  #period = new Period()
  #open = 0

  connected(): Connection {
    this.#open++
    this.#period.opened++
    return new Connection()
  }

  disconnected(): void {
    this.#open--
  }

  begin(connection: Connection, method: string, template: string, name?: string, row?: string): Entry {
    const period = this.#period
    if (connection.lastUsedIn !== period) {
      connection.lastUsedIn = period
      period.used++
    }
    if (row !== undefined) period.rows.add(row)
    return new Entry(period, method, template, name)
  }

  /** A remote call, whose protocol has methods and codes of its own. */
  beginCall(protocol: 'grpc' | 'rpc', method: string): CallEntry {
    return this.#period[protocol].begin(method)
  }

  snapshot(options: { rows: boolean }) {
    const { used, opened, rows } = this.#period
    return {
      ...this.#period.toJSON(),
      connections: { used, opened, open: this.#open },
      ...(options.rows ? { rows: rows.toJSON() } : {}),
    }
  }

  reset(): void {
    this.#period = new Period()
  }
}

/** What `GET /stats` answers. */
export type Snapshot = ReturnType<Stats['snapshot']>

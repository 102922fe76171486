import type { Knex } from 'knex'

/** Connections of one database, opened, kept and ended by knex. */
export interface RawConnections<Raw> {
  /** A connection that nobody else uses, a new one if need be. Rejects with the driver's error. */
  open(): Promise<Raw>
  /** It is of no more use; knex ends it. */
  discard(raw: Raw, why: string): void
  close(): Promise<void>
}

export interface KnexSettings {
  readonly client: 'pg' | 'mysql2' | 'better-sqlite3'
  readonly connection: object
  readonly most: number
}

const quiet = () => undefined

/**
 * The one place that knows knex. It configures the driver, loads it, opens and ends connections. A connection that it
 * has handed out stays with us until it breaks: its pool takes a timer, four promises and a validation for each use,
 * which on a fast server would cost as much as the statement (docs/sql.md has the figures).
 */
export async function openKnex<Raw extends object>(settings: KnexSettings): Promise<RawConnections<Raw>> {
  const { default: knex } = await import('knex')
  const opened: Knex = knex({
    client: settings.client,
    connection: settings.connection,
    // Knex asks each server for its version otherwise, which would show among the statements that the server counts.
    version: 'latest',
    useNullAsDefault: true,
    pool: { min: 0, max: settings.most, idleTimeoutMillis: 1000, acquireTimeoutMillis: 60_000 },
    // Its log repeats errors that we count, with what they hold.
    log: { warn: quiet, error: quiet, deprecate: quiet, debug: quiet },
  })
  const client: Knex.Client = opened.client
  const out = new Set<Raw>()
  let isClosed = false
  return {
    open: async () => {
      const raw: Raw = await client.acquireConnection()
      if (isClosed) {
        // Opened for a step that was served otherwise; knex waits for it.
        void client.releaseConnection(raw)
        throw new Error('the connections are closed')
      }
      out.add(raw)
      return raw
    },
    discard: (raw, why) => {
      if (!out.delete(raw)) return
      // What knex itself writes on a connection that broke: its pool does not give it out again.
      Object.assign(raw, { __knex__disposed: why })
      void client.releaseConnection(raw)
    },
    close: async () => {
      isClosed = true
      for (const raw of out) void client.releaseConnection(raw)
      out.clear()
      await opened.destroy()
    },
  }
}

import type { Duration } from './duration.ts'
import type { Json } from './json.ts'
import type { RequestOptions } from './request.ts'

export interface SqlConnection {
  readonly client: 'pg' | 'mysql2' | 'better-sqlite3'
  /** A URL (`pg`, `mysql2`) or a file (`better-sqlite3`); may be a template: `{{$._env.db}}`. */
  readonly connection: string
  /** Connections per thread. */
  readonly pool?: { readonly min?: number; readonly max?: number }
  /** Over all threads and workers; a run that would open more is refused. */
  readonly maxConnections?: number
  /** For each statement. */
  readonly timeout?: Duration
}

export interface SqlStatement {
  readonly query: string
  /** Bound, never spliced into the text. A parameter that is exactly one reference keeps its type. */
  readonly params?: readonly Json[]
  /** The text itself may hold templates. Never with values from outside: that is how SQL injection happens. */
  readonly raw?: boolean
}

export interface SqlOptions extends RequestOptions {
  /** The connection, by its name in the simulation's `sql`. */
  readonly on: string
  readonly timeout?: Duration
}

export interface SqlQueryOptions extends SqlOptions {
  /** Bound, never spliced into the text. A parameter that is exactly one reference keeps its type. */
  readonly params?: readonly Json[]
  /** The text itself may hold templates. Never with values from outside: that is how SQL injection happens. */
  readonly raw?: boolean
}

export interface SqlStep extends SqlQueryOptions {
  readonly type: 'sql'
  readonly name: string
  readonly query?: string
  readonly transaction?: readonly SqlStatement[]
}

import { performance } from 'node:perf_hooks'
import { durationMs } from '@onrush/protocol/duration'
import { poolMost } from '@onrush/protocol/sql-budget'
import type { SqlConnection } from '@onrush/protocol/sql-step'
import { DeadlineWheel } from '../http/deadline-wheel.ts'
import type { NameLookup } from '../http/name-lookup.ts'
import type { TargetGuard } from '../http/target-guard.ts'
import type { Database } from './database.ts'
import { Interrupts } from './interrupts.ts'
import { LinkPool } from './link-pool.ts'
import { openMariadb } from './mariadb.ts'
import type { Place } from './place.ts'
import { openPostgres } from './postgres.ts'
import type { SqlExchange } from './sql-exchange.ts'
import { dialTo } from './sql-guard.ts'
import { openSqlite } from './sqlite.ts'

const tickMs = 20
const ticks = 256
export const defaultTimeoutMs = 60_000

/** A connection of the simulation's `sql`, as one thread has it: its database, its pool, its deadlines. */
export class OpenConnection {
  readonly name: string
  readonly most: number
  readonly timeoutMs: number
  readonly pool: LinkPool
  readonly wheel = new DeadlineWheel<SqlExchange>(performance.now(), tickMs, ticks)
  readonly interrupts = new Interrupts()
  /** Statements that are being ended, after their sessions have gone on. */
  readonly #ending = new Set<Promise<void>>()
  #ticking: NodeJS.Timeout | undefined = undefined

  constructor(name: string, declared: SqlConnection, database: Database) {
    this.name = name
    this.most = poolMost(declared)
    this.timeoutMs = timeoutOf(declared)
    this.pool = new LinkPool(database, this.most)
  }

  begin(exchange: SqlExchange, timeoutMs: number): void {
    // Open sockets keep a process alive as long as something is under way; the clock need not.
    this.#ticking ??= setInterval(() => this.#tick(), tickMs).unref()
    this.wheel.add(exchange, performance.now() + timeoutMs)
    exchange.begin()
  }

  /** Closing waits for it. */
  ending(done: Promise<void>): void {
    this.#ending.add(done)
    void done.finally(() => this.#ending.delete(done))
  }

  async close(): Promise<void> {
    clearInterval(this.#ticking)
    for (const exchange of this.wheel.entries()) exchange.interrupt()
    await Promise.all(this.#ending)
    await this.pool.close()
  }

  #tick(): void {
    this.wheel.advance(performance.now(), expire)
  }
}

const expire = (exchange: SqlExchange): void => exchange.expire()

export function timeoutOf({ timeout }: Pick<SqlConnection, 'timeout'>): number {
  return timeout === undefined ? defaultTimeoutMs : durationMs(timeout)
}

export async function openConnection(
  name: string,
  declared: SqlConnection,
  place: Place,
  names: NameLookup,
  guard: TargetGuard | undefined,
): Promise<OpenConnection> {
  return new OpenConnection(name, declared, await openDatabase(declared, place, names, guard))
}

function openDatabase(
  declared: SqlConnection,
  place: Place,
  names: NameLookup,
  guard: TargetGuard | undefined,
): Promise<Database> {
  switch (place.client) {
    case 'pg':
      return openPostgres(place, poolMost(declared), dialTo(place, names, guard))
    case 'mysql2':
      return openMariadb(place, poolMost(declared), dialTo(place, names, guard))
    case 'better-sqlite3':
      return openSqlite(place, timeoutOf(declared))
    default:
      return place satisfies never
  }
}

import type { Fault } from './problem.ts'
import type { SqlConnection } from './sql-step.ts'

/** How many connections a run may open under one name. */
export interface SqlBudget {
  readonly name: string
  readonly client: SqlConnection['client']
  /** Over all workers. */
  readonly threads: number
  /** Of each thread's pool. */
  readonly pool: number
  /** Of each thread, to end statements that take too long. */
  readonly cancelling: 0 | 1
  /** All of them. */
  readonly most: number
  readonly allowed: number | undefined
}

type Declared = { readonly [name: string]: SqlConnection } | undefined

const defaultMost = 10

/** Connections in one thread's pool. A SQLite statement blocks its thread, so a second one would never be used. */
export function poolMost({ client, pool }: Pick<SqlConnection, 'client' | 'pool'>): number {
  return client === 'better-sqlite3' ? 1 : (pool?.max ?? Math.max(defaultMost, pool?.min ?? 0))
}

/** What a run over so many threads (of all workers together) may open: (pool + 1 for cancelling) × threads each. */
export function sqlBudget(declared: Declared, threads: number): SqlBudget[] {
  return Object.entries(declared ?? {}).map(([name, connection]) => {
    const pool = poolMost(connection)
    const cancelling = connection.client === 'better-sqlite3' ? 0 : 1
    const most = (pool + cancelling) * threads
    return { name, client: connection.client, threads, pool, cancelling, most, allowed: connection.maxConnections }
  })
}

/** Which connections would be more than the simulation allows. */
export function checkSqlBudget(budgets: readonly SqlBudget[]): Fault[] {
  return budgets.flatMap(budget => {
    const { name, allowed, most, threads, cancelling } = budget
    if (allowed === undefined || most <= allowed) return []
    const fits = Math.floor(allowed / threads) - cancelling
    const advice =
      fits >= 1 ? `a pool.max of ${fits} fits` : `use at most ${Math.floor(allowed / (1 + cancelling))} threads`
    return [
      {
        path: `$.sql.${name}.maxConnections`,
        message: `expected at most ${allowed} connections, got up to ${inWords(budget)}: ${advice}`,
      },
    ]
  })
}

/** What a person is told before the start. */
export function sqlBudgetLines(budgets: readonly SqlBudget[]): string[] {
  return budgets.map(budget => `SQL connections to ${budget.name}: up to ${inWords(budget)}`)
}

function inWords({ most, threads, pool, cancelling }: SqlBudget): string {
  const each = cancelling === 0 ? `${pool}` : `${pool} and ${cancelling} for ending statements`
  return `${most} (${threads} ${threads === 1 ? 'thread' : 'threads'}, ${each} each)`
}

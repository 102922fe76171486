import { placed } from './place.ts'
import type { SqlOptions, SqlQueryOptions, SqlStatement, SqlStep } from './sql-types.ts'

/** SQL steps on a connection of the simulation's `sql`. */
export const sql = {
  /**
   * One statement: `sql.query('order', 'select * from orders where id = ?', { on: 'orders-db', params: ['{{$._s.id}}'] })`.
   * `$.entity` is the list of rows for a query, `{ affected, insertId }` for the rest.
   */
  query(name: string, statement: string, options: SqlQueryOptions): SqlStep {
    return placed({ type: 'sql', name, query: statement, ...options })
  },
  /** Several statements in one transaction, rolled back when one fails. Text alone is a statement without parameters. */
  transaction(name: string, statements: readonly (string | SqlStatement)[], options: SqlOptions): SqlStep {
    const transaction = statements.map(each => (typeof each === 'string' ? { query: each } : each))
    return placed({ type: 'sql', name, transaction, ...options })
  },
}

import type { SqlConnection } from '@onrush/protocol/sql-step'
import { sqliteBinding } from './sqlite-values.ts'

/** A statement's values as a driver takes them. */
export type Binding = (values: readonly unknown[]) => readonly unknown[]

const asTheyAre: Binding = values => values
const orNull: Binding = values => (values.includes(undefined) ? values.map(value => value ?? null) : values)
const forSqlite: Binding = values => values.map(sqliteBinding)

export function bindingOf(client: SqlConnection['client']): Binding {
  switch (client) {
    case 'pg':
      return asTheyAre
    case 'mysql2':
      return orNull
    case 'better-sqlite3':
      return forSqlite
    default:
      return client satisfies never
  }
}

import type { Assertion } from './assertion.ts'
import { OnrushError } from './error.ts'
import type { Profile } from './injection.ts'
import type { Json } from './json.ts'
import type { Simulation } from './simulation.ts'
import type { SqlConnection } from './sql-step.ts'

export interface QuickSql {
  readonly statement: string
  /** Where the database is: `postgres://…`, `mysql://…`, or a SQLite file. */
  readonly url: string
  readonly inject: Profile
  readonly params?: Json[] | undefined
  readonly assert?: Assertion | undefined
  readonly timeout?: string | undefined
  /** Connections of each thread. */
  readonly connections?: number | undefined
}

/** The simulation of one statement under load. The URL is a secret of its environment: it holds a password. */
export function quickSqlSimulation({
  statement,
  url,
  inject,
  params,
  assert,
  timeout,
  connections,
}: QuickSql): Simulation {
  const client = clientOf(url)
  const connection: SqlConnection = {
    client,
    connection: '{{$._env.db}}',
    ...(connections === undefined || client === 'better-sqlite3' ? {} : { pool: { max: connections } }),
    ...(timeout === undefined ? {} : { timeout }),
  }
  return {
    description: statement.slice(0, 200),
    environments: {
      quick: { db: { $secret: client === 'better-sqlite3' ? url.replace(/^(?:sqlite|file):(?:\/\/)?/, '') : url } },
    },
    sql: { db: connection },
    scenarios: [
      {
        name: 'single',
        inject,
        steps: [
          {
            type: 'sql',
            name: nameOf(statement),
            on: 'db',
            query: statement,
            ...(params === undefined ? {} : { params }),
            ...(assert === undefined ? {} : { assert }),
          },
        ],
      },
    ],
    ...(assert === undefined ? {} : { thresholds: { checks: ['rate==1'] } }),
  }
}

function clientOf(url: string): SqlConnection['client'] {
  if (/^postgres(?:ql)?:/.test(url)) return 'pg'
  if (/^(?:mysql|mariadb):/.test(url)) return 'mysql2'
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]
  if (scheme === undefined || /^(?:sqlite|file)$/.test(scheme) || url === ':memory:') return 'better-sqlite3'
  throw new OnrushError('invalid', `expected postgres://…, mysql://… or a SQLite file, got one of ${scheme}:`)
}

/** A name is one line without templates' braces, which would be rendered. */
function nameOf(statement: string): string {
  const line = statement.replaceAll(/\s+/g, ' ').replaceAll(/[{}]/g, '').trim()
  return line.length <= 60 ? line || 'statement' : `${line.slice(0, 59)}…`
}

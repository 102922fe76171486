import type Sqlite from 'better-sqlite3'
import type { Database, Link } from './database.ts'
import { bigintValue } from './numbers.ts'
import { openKnex, type RawConnections } from './open-knex.ts'
import type { FilePlace } from './place.ts'
import { Changed, type Reply, Rows } from './reply.ts'
import { sqliteValue } from './sqlite-values.ts'

interface Prepared {
  readonly statement: Sqlite.Statement<unknown[], unknown[]>
  readonly inserts: boolean
}

const kept = 500

class SqliteLink implements Link {
  readonly bytesIn = 0
  readonly bytesOut = 0
  readonly cancel = undefined
  readonly #file: Sqlite.Database
  readonly #raws: RawConnections<Sqlite.Database>
  readonly #prepared = new Map<string, Prepared>()

  constructor(file: Sqlite.Database, raws: RawConnections<Sqlite.Database>) {
    this.#file = file
    this.#raws = raws
  }

  /** Blocks the thread until it is done; async, so that what it throws is a rejection. */
  async run(text: string, values: readonly unknown[]): Promise<Reply> {
    const { statement, inserts } = this.#prepare(text)
    if (!statement.reader) {
      const { changes, lastInsertRowid } = statement.run(...values)
      // The file remembers its last insert, also after a statement that was none.
      return new Changed(changes, inserts && changes > 0 ? bigintValue(BigInt(lastInsertRowid)) : null)
    }
    const rows = statement.all(...values)
    // Asked each time: a column that was added since shows in `select *`.
    const columns = statement.columns()
    return new Rows(
      columns.map(({ name }) => name),
      rows,
      (row, at) => sqliteValue(row[at], columns[at]?.type ?? null),
    )
  }

  begin = () => this.run('BEGIN', [])
  commit = () => this.run('COMMIT', [])
  rollback = () => this.run('ROLLBACK', [])
  settle = () => Promise.resolve()
  discard = (why: string) => this.#raws.discard(this.#file, why)

  get usable(): boolean {
    return this.#file.open
  }

  get inTransaction(): boolean {
    return this.#file.inTransaction
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const statement = this.#file.prepare<unknown[], unknown[]>(text)
    if (statement.reader) statement.raw(true)
    const made = { statement, inserts: /^\s*(?:insert|replace|with)\b/i.test(text) }
    if (this.#prepared.size >= kept) this.#prepared.clear()
    this.#prepared.set(text, made)
    return made
  }
}

/** `busyMs`: how long a statement waits while another process has the file locked. */
export async function openSqlite({ filename }: FilePlace, busyMs: number): Promise<Database> {
  const raws: RawConnections<Sqlite.Database> = await openKnex<Sqlite.Database>({
    client: 'better-sqlite3',
    most: 1,
    // Whole numbers as bigints: the driver would round those that a double cannot hold.
    connection: { filename, options: { safeIntegers: true } },
  })
  return {
    open: async () => {
      const file = await raws.open()
      file.pragma(`busy_timeout = ${Math.round(busyMs)}`)
      return new SqliteLink(file, raws)
    },
    close: () => raws.close(),
  }
}

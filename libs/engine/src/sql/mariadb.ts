import { isIP, Socket } from 'node:net'
import type { ResultSetHeader } from 'mysql2'
import type { Database, Link } from './database.ts'
import { MariadbKiller } from './mariadb-killer.ts'
import { type MysqlColumn, mariadbValue } from './mariadb-values.ts'
import { wholeValue } from './numbers.ts'
import { openKnex, type RawConnections } from './open-knex.ts'
import type { ServerPlace } from './place.ts'
import { Changed, type Reply, Rows } from './reply.ts'
import { type RawServerConnection, ServerLink } from './server-link.ts'
import { Sockets } from './sockets.ts'
import { connectMs } from './sql-failure.ts'
import type { Dial } from './sql-guard.ts'
import { tlsOf } from './tls-of.ts'

type MysqlChange = Pick<ResultSetHeader, 'affectedRows' | 'insertId' | 'serverStatus'>
type MysqlRows = readonly (readonly unknown[])[]
type MysqlResult = MysqlChange | MysqlRows | readonly (MysqlRows | MysqlChange)[]
type MysqlFields = readonly (MysqlColumn | readonly MysqlColumn[] | undefined)[] | undefined
type Done = (error: Error | null, result: MysqlResult, fields: MysqlFields) => void

/** What we use of a connection of mysql2. */
interface MysqlConnection extends RawServerConnection {
  readonly threadId: number
  readonly stream: Socket
  execute(text: string, values: readonly unknown[], done: Done): void
  query(text: string, done: Done): void
  destroy(): void
}

const inTransaction = 1

class MysqlLink extends ServerLink<MysqlConnection> implements Link {
  inTransaction = false
  readonly #killer: MariadbKiller

  constructor(connection: MysqlConnection, raws: RawConnections<MysqlConnection>, killer: MariadbKiller) {
    super(connection, connection.stream, raws)
    this.#killer = killer
  }

  /**
   * As a prepared statement, which the driver keeps for each connection: values travel apart from the text. Its `query`
   * would write them into the text, and a map among them would become an expression.
   */
  run(text: string, values: readonly unknown[]): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.raw.execute(text, values, (error, result, fields) => {
        if (error) reject(error)
        else resolve(this.#replyOf(result, fields))
      })
    })
  }

  begin = () => this.say('START TRANSACTION')
  commit = () => this.say('COMMIT')
  rollback = () => this.say('ROLLBACK')
  cancel = () => this.#killer.kill(this.raw.threadId)
  /** An order that came after the end of its statement would meet the next one: this one. */
  settle = () => this.say('DO 0').catch(() => this.say('DO 0'))

  say(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.raw.query(text, (error, result) => {
        if (error) return reject(error)
        if (isChange(result)) this.#saw(result)
        resolve()
      })
    })
  }

  override discard(why: string): void {
    // The driver is told that this end is no failure.
    this.raw.destroy()
    super.discard(why)
  }

  #saw({ serverStatus }: MysqlChange): void {
    this.inTransaction = (serverStatus & inTransaction) !== 0
  }

  #replyOf(result: MysqlResult, fields: MysqlFields): Reply {
    if (isChange(result)) {
      this.#saw(result)
      const { affectedRows, insertId } = result
      return new Changed(affectedRows, insertId === 0 ? null : wholeValue(String(insertId)))
    }
    // A procedure gives several results, each with its columns; the first with columns is the answer.
    const columns = fields?.filter(isColumn) ?? []
    if (columns.length > 0 || fields === undefined) return rowsOf(columns, result)
    const at = fields.findIndex(Array.isArray)
    const [rows, described] = [result[at], fields[at]]
    return rowsOf(Array.isArray(described) ? described : [], isRows(rows) ? rows : [])
  }
}

const isChange = (result: MysqlResult): result is MysqlChange => !Array.isArray(result)
const isColumn = (field: MysqlColumn | readonly MysqlColumn[] | undefined): field is MysqlColumn =>
  field !== undefined && 'name' in field
const isRows = (rows: unknown): rows is MysqlRows => Array.isArray(rows)

function rowsOf(columns: readonly MysqlColumn[], rows: MysqlResult): Reply {
  const names = columns.map(({ name }) => name)
  return new Rows(names, isRows(rows) ? rows : [], (row, at) => {
    const column = columns[at]
    return column === undefined ? undefined : mariadbValue(row[at], column)
  })
}

export async function openMariadb(place: ServerPlace, most: number, dial: Dial): Promise<Database> {
  const { host, port, user, password, database, tls } = place
  const secured = tlsOf(place)
  const sockets = new Sockets()
  const raws: RawConnections<MysqlConnection> = await openKnex<MysqlConnection>({
    client: 'mysql2',
    // One more than statements use: for the connection that ends them.
    most: most + 1,
    connection: {
      host,
      port,
      user,
      password,
      database,
      ...(secured === false ? {} : { ssl: { ...secured, verifyIdentity: tls === 'verified' } }),
      connectTimeout: connectMs,
      rowsAsArray: true,
      supportBigNumbers: true,
      dateStrings: true,
      // The server holds 16,382 of them for all its clients.
      maxPreparedStatements: 64,
      stream: () => sockets.track(dial(socketTo(host))),
    },
  })
  const open = async () => new MysqlLink(await raws.open(), raws, killer)
  const killer = new MariadbKiller(open)
  return { open, close: () => sockets.closedBy(raws.close()) }
}

/**
 * The driver tells TLS which name to verify, but no address: a certificate would have to be for "localhost". Node asks
 * the socket when it is told nothing, and a socket remembers names only.
 */
function socketTo(host: string): Socket {
  const socket = new Socket()
  return isIP(host) === 0 ? socket : Object.assign(socket, { _host: host })
}

import { Socket } from 'node:net'
import type { FieldDef } from 'pg'
import type { Database, Link } from './database.ts'
import { openKnex, type RawConnections } from './open-knex.ts'
import type { ServerPlace } from './place.ts'
import { postgresValue } from './postgres-values.ts'
import { Changed, type Reply, Rows } from './reply.ts'
import { type RawServerConnection, ServerLink } from './server-link.ts'
import { Sockets } from './sockets.ts'
import { connectMs } from './sql-failure.ts'
import type { Dial } from './sql-guard.ts'
import { tlsOf } from './tls-of.ts'

interface PgResult {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: readonly { readonly [column: string]: unknown }[]
  readonly fields: readonly Pick<FieldDef, 'name' | 'dataTypeID'>[]
}

type PgDone = (error: Error | null, result: PgResult) => void

/** What we use of a `Client` of pg. */
interface PgClient extends RawServerConnection {
  readonly processID: number | null
  readonly secretKey: number | null
  readonly connection: { readonly stream: Socket }
  query(text: string, values: readonly unknown[], done: PgDone): void
  query(statement: object, done: PgDone): void
  getTransactionStatus(): string | null
}

const asText = { getTypeParser: () => (text: string) => text }

class PgLink extends ServerLink<PgClient> implements Link {
  readonly #dial: Dial

  constructor(client: PgClient, raws: RawConnections<PgClient>, dial: Dial) {
    super(client, client.connection.stream, raws)
    this.#dial = dial
  }

  run(text: string, values: readonly unknown[]): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const done: PgDone = (error, result) => {
        if (error) reject(error)
        else resolve(replyOf(result))
      }
      // A text with its values is the cheapest way in: the driver clones a statement that is an object. Without values
      // it would take the simple protocol, which runs several statements of one text.
      if (values.length > 0) this.raw.query(text, values, done)
      else this.raw.query({ text, queryMode: 'extended' }, done)
    })
  }

  begin = () => this.run('BEGIN', [])
  commit = () => this.run('COMMIT', [])
  rollback = () => this.run('ROLLBACK', [])
  /** The server has sent its signal before it closed the connection that asked for it. */
  settle = () => Promise.resolve()

  async cancel(): Promise<void> {
    const { processID, secretKey } = this.raw
    if (processID !== null && secretKey !== null) await requestCancel(this.#dial(), processID, secretKey)
  }

  get inTransaction(): boolean {
    const status = this.raw.getTransactionStatus()
    return status === 'T' || status === 'E'
  }
}

/** A statement that describes columns is a query, even one without rows; `select` without columns says so itself. */
function replyOf({ fields, rows, rowCount, command }: PgResult): Reply {
  if (fields.length === 0 && command !== 'SELECT') return new Changed(rowCount ?? 0, null)
  return new Rows(
    fields.map(({ name }) => name),
    rows,
    (row, column) => {
      const field = fields[column]
      return field === undefined ? undefined : postgresValue(row[field.name], field.dataTypeID)
    },
  )
}

export async function openPostgres(place: ServerPlace, most: number, dial: Dial): Promise<Database> {
  const { host, port, user, password, database } = place
  const sockets = new Sockets()
  const raws: RawConnections<PgClient> = await openKnex<PgClient>({
    client: 'pg',
    most,
    connection: {
      host,
      port,
      user,
      password,
      database,
      ssl: tlsOf(place),
      application_name: 'onrush',
      types: asText,
      connectionTimeoutMillis: connectMs,
      // The driver connects the socket it is given; ours knows where to, and what it may reach.
      stream: () => {
        const socket = sockets.track(new Socket())
        const connect = () => {
          socket.connect = Socket.prototype.connect
          return dial(socket)
        }
        return Object.assign(socket, { connect })
      },
    },
  })
  return {
    open: async () => new PgLink(await raws.open(), raws, dial),
    close: () => sockets.closedBy(raws.close()),
  }
}

/**
 * PostgreSQL's own way: a connection that says nothing but which backend to interrupt, and that the server closes when
 * it has done so. It needs no login and takes none of the server's slots for clients.
 */
function requestCancel(socket: Socket, backend: number, secret: number): Promise<void> {
  const request = Buffer.alloc(16)
  request.writeInt32BE(16, 0)
  request.writeInt32BE(80_877_102, 4)
  request.writeInt32BE(backend, 8)
  request.writeInt32BE(secret, 12)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('connect', () => socket.end(request))
    socket.resume()
  })
}

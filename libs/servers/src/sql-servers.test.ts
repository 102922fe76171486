import { existsSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { startMariadb } from './mariadb.ts'
import { startPostgres } from './postgres.ts'
import type { SqlServer } from './sql-server.ts'

/** Where a server keeps all that it writes: it works within. Others of its kind may come and go meanwhile. */
const folderOf = ({ pid }: SqlServer) => dirname(readlinkSync(`/proc/${pid}/cwd`))

/** Opens a connection, says something, and gives the first bytes of the answer. */
function firstBytes({ host, port }: SqlServer, opening?: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => opening && socket.write(opening))
    socket.once('data', data => {
      socket.destroy()
      resolve(data)
    })
    socket.once('error', reject)
  })
}

it('starts a PostgreSQL that wants a password, and leaves nothing behind', async () => {
  const server = await startPostgres()
  const folder = folderOf(server)
  expect(folder).toContain('onrush-postgres-')
  const parameters = Buffer.from('user\0onrush\0database\0postgres\0\0')
  const opening = Buffer.alloc(8 + parameters.length)
  opening.writeInt32BE(opening.length, 0)
  opening.writeInt32BE(3 << 16, 4) // protocol 3.0
  parameters.copy(opening, 8)
  const answer = await firstBytes(server, opening)
  // 'R' is an authentication request, 10 the one for SASL.
  expect([String.fromCharCode(answer[0] ?? 0), answer.readInt32BE(5)]).toEqual(['R', 10])
  expect(new URL(server.url).password).toBe(server.password)
  await server.stop()
  expect(existsSync(folder)).toBe(false)
  expect(existsSync(`/proc/${server.pid}`)).toBe(false)
}, 180_000)

it('starts a MariaDB, and leaves nothing behind', async () => {
  const server = await startMariadb()
  const folder = folderOf(server)
  expect(folder).toContain('onrush-mariadb-')
  const greeting = await firstBytes(server)
  // Protocol version 10, then the server's version as text.
  expect(greeting[4]).toBe(10)
  expect(greeting.toString('latin1', 5)).toContain('MariaDB')
  expect(server.url).toBe(`mysql://onrush:${server.password}@127.0.0.1:${server.port}/onrush`)
  await server.stop()
  expect(existsSync(folder)).toBe(false)
  expect(existsSync(`/proc/${server.pid}`)).toBe(false)
}, 180_000)

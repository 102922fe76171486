import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { startMariadb } from './mariadb.ts'
import { startPostgres } from './postgres.ts'
import type { SqlServer } from './sql-server.ts'

const leftovers = (name: string) => readdirSync(tmpdir()).filter(entry => entry.startsWith(`onrush-${name}-`))

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
  const before = leftovers('postgres')
  const server = await startPostgres()
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
  expect(leftovers('postgres')).toEqual(before)
  expect(existsSync(`/proc/${server.pid}`)).toBe(false)
}, 180_000)

it('starts a MariaDB, and leaves nothing behind', async () => {
  const before = leftovers('mariadb')
  const server = await startMariadb()
  const greeting = await firstBytes(server)
  // Protocol version 10, then the server's version as text.
  expect(greeting[4]).toBe(10)
  expect(greeting.toString('latin1', 5)).toContain('MariaDB')
  expect(server.url).toBe(`mysql://onrush:${server.password}@127.0.0.1:${server.port}/onrush`)
  await server.stop()
  expect(leftovers('mariadb')).toEqual(before)
  expect(existsSync(`/proc/${server.pid}`)).toBe(false)
}, 180_000)

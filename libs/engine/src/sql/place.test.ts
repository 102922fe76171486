import { expect, it, test } from 'vitest'
import { readPlace } from './place.ts'

const read = (client: 'pg' | 'mysql2' | 'better-sqlite3', connection: string) => {
  const told: string[] = []
  return { place: readPlace(client, connection, message => told.push(message)), told }
}

test('all that a URL says', () => {
  expect(read('pg', 'postgres://ann:p%40ss@db.example:6543/shop?sslmode=verify-full').place).toEqual({
    kind: 'server',
    client: 'pg',
    host: 'db.example',
    port: 6543,
    socket: undefined,
    user: 'ann',
    password: 'p@ss',
    database: 'shop',
    tls: 'verified',
  })
  expect(read('mysql2', 'mysql://root@[::1]/shop?socketPath=/run/mysqld.sock').place).toMatchObject({
    host: '::1',
    port: 3306,
    socket: '/run/mysqld.sock',
    password: undefined,
    tls: 'off',
  })
  expect(read('pg', 'postgres://a:100%@h/d').place).toMatchObject({ password: '100%' })
  expect(read('better-sqlite3', ':memory:').place).toEqual({
    kind: 'file',
    client: 'better-sqlite3',
    filename: ':memory:',
  })
})

it.each([
  ['pg', 'mysql://u:secret-word@h/d', /expected a URL like postgres:.*one of mysql:/],
  ['pg', 'secret-word', /expected a URL like postgres:/],
  ['mysql2', 'mysql://u:secret-word@h/d?secret=1', /only sslmode and socketPath/],
  ['pg', 'postgres://u:secret-word@h/d?sslmode=maybe', /sslmode: expected one of disable, require/],
  ['better-sqlite3', '/nowhere/shop.sqlite', /expected a SQLite file that exists/],
] as const)('%s: says what is wrong, and no password', (client, connection, message) => {
  const { told } = read(client, connection)
  expect(told).toHaveLength(1)
  expect(told[0]).toMatch(message)
  expect(told.join()).not.toContain('secret-word')
})

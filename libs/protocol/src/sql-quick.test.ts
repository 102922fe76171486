import { expect, it, test } from 'vitest'
import { Simulation } from './simulation.ts'
import { quickSqlSimulation } from './sql-quick.ts'
import { SqlConnection } from './sql-step.ts'

const inject = [{ type: 'iterations' as const, iterations: 10, users: 2 }]

it.each([
  ['postgres://u:p@h/d', 'pg', 'postgres://u:p@h/d'],
  ['postgresql://h/d', 'pg', 'postgresql://h/d'],
  ['mysql://h/d', 'mysql2', 'mysql://h/d'],
  ['mariadb://h/d', 'mysql2', 'mariadb://h/d'],
  ['shop.sqlite', 'better-sqlite3', 'shop.sqlite'],
  ['sqlite:///tmp/shop.sqlite', 'better-sqlite3', '/tmp/shop.sqlite'],
  [':memory:', 'better-sqlite3', ':memory:'],
])('%s', (url, client, connection) => {
  const simulation = Simulation.parse(quickSqlSimulation({ statement: 'select  1', url, inject, connections: 4 }))
  expect(simulation.sql?.db).toMatchObject({ client, connection: '{{$._env.db}}' })
  expect(simulation.environments).toEqual({ quick: { db: { $secret: connection } } })
  expect(simulation.scenarios[0]?.steps).toEqual([{ type: 'sql', name: 'select 1', on: 'db', query: 'select  1' }])
})

test('what is no database is refused', () => {
  expect(() => quickSqlSimulation({ statement: 'select 1', url: 'http://h/', inject })).toThrow('got one of http:')
})

test('a pool that cannot be', () => {
  const faults = (pool: object, client = 'better-sqlite3') =>
    SqlConnection.safeParse({ client, connection: 'x', pool }).error?.issues.map(({ path }) => path.join('.'))
  expect(faults({ max: 2 })).toEqual(['pool.max'])
  expect(faults({ max: 1 })).toBe(undefined)
  expect(faults({ min: 3, max: 2 }, 'pg')).toEqual(['pool.min'])
})

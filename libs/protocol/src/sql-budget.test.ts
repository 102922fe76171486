import { expect, it, test } from 'vitest'
import { checkSqlBudget, sqlBudget, sqlBudgetLines } from './sql-budget.ts'

const declared = {
  orders: { client: 'pg', connection: 'postgres://h/d', pool: { max: 5 }, maxConnections: 100 },
  shop: { client: 'better-sqlite3', connection: 'shop.sqlite' },
} as const

test('every thread has its pool and a connection for ending statements', () => {
  expect(sqlBudget(declared, 16)).toMatchObject([
    { name: 'orders', pool: 5, cancelling: 1, most: 96 },
    { name: 'shop', pool: 1, cancelling: 0, most: 16 },
  ])
  expect(sqlBudgetLines(sqlBudget(declared, 16))).toEqual([
    'SQL connections to orders: up to 96 (16 threads, 5 and 1 for ending statements each)',
    'SQL connections to shop: up to 16 (16 threads, 1 each)',
  ])
})

it.each([
  { threads: 16, refused: [] },
  {
    threads: 17,
    refused: [
      'expected at most 100 connections, got up to 102 (17 threads, 5 and 1 for ending statements each): a pool.max of 4 fits',
    ],
  },
  {
    threads: 60,
    refused: [
      'expected at most 100 connections, got up to 360 (60 threads, 5 and 1 for ending statements each): use at most 50 threads',
    ],
  },
])('$threads threads', ({ threads, refused }) => {
  expect(checkSqlBudget(sqlBudget(declared, threads)).map(({ message }) => message)).toEqual(refused)
})

test('ten connections in a pool when nothing is said', () => {
  expect(sqlBudget({ a: { client: 'mysql2', connection: 'x' } }, 2)).toMatchObject([{ pool: 10, most: 22 }])
  expect(sqlBudget(undefined, 2)).toEqual([])
})

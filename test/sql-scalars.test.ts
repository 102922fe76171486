import { readFileSync } from 'node:fs'
import { startMariadb } from '@onrush/servers/mariadb'
import { startPostgres } from '@onrush/servers/postgres'
import { afterAll, describe, expect, test } from 'vitest'
import { SqlBench } from '../libs/engine/src/sql/sql.testing.ts'

const page = readFileSync('docs/sql.md', 'utf8')

interface Row {
  readonly type: string
  readonly literal: string
  readonly value: unknown
}

/** The rows of the page's table below a heading: a type, an SQL expression, and the value in the context as JSON. */
function tableBelow(heading: string): Row[] {
  const [, section = ''] = page.split(`### ${heading}\n`)
  const lines = (section.split(/\n#+ /)[0] ?? '').split('\n').filter(line => line.startsWith('|'))
  return lines.slice(2).map(line => {
    const [type = '', literal = '', value = ''] = line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map(cell =>
        cell
          .trim()
          .replaceAll('\\|', '|')
          .replace(/^`(.*)`$/, '$1'),
      )
    return { type, literal, value: JSON.parse(value) }
  })
}

const servers = { pg: await startPostgres(), mysql2: await startMariadb() }
const benches = [
  { title: 'PostgreSQL', bench: new SqlBench({ client: 'pg', connection: servers.pg.url, pool: { max: 2 } }) },
  { title: 'MariaDB', bench: new SqlBench({ client: 'mysql2', connection: servers.mysql2.url, pool: { max: 2 } }) },
  { title: 'SQLite', bench: new SqlBench({ client: 'better-sqlite3', connection: ':memory:' }) },
]

afterAll(async () => {
  await Promise.all(benches.map(({ bench }) => bench.close()))
  await Promise.all([servers.pg.stop(), servers.mysql2.stop()])
})

describe.each(benches)("$title: every value of the page's table", ({ title, bench }) => {
  const rows = tableBelow(title)

  test('the table is there', () => {
    expect(rows.length).toBeGreaterThan(8)
  })

  test.each(rows.map((row, i) => ({ ...row, i })))('$type: $literal', async ({ type, literal, value, i }) => {
    const table = `scalar_${i}`
    await bench.entity(`create table ${table} (x ${type})`)
    await bench.entity(`insert into ${table} (x) values (${literal})`)
    expect(await bench.entity(`select x from ${table}`)).toEqual([{ x: value }])
    await bench.entity(`update ${table} set x = null`)
    expect(await bench.entity(`select x from ${table}`)).toEqual([{ x: null }])
  })
})

describe.each(benches)('$title: parameters', ({ title, bench }) => {
  test('keep their types on the way in', async () => {
    const table = 'kept'
    const types = { PostgreSQL: 'boolean', MariaDB: 'boolean', SQLite: 'boolean' }
    const bytes = title === 'PostgreSQL' ? 'bytea' : 'blob'
    const marks = title === 'SQLite' ? 'text' : 'json'
    await bench.entity(
      `create table ${table} (t varchar(50), i bigint, d double precision, b ${types[title as keyof typeof types]}, n integer, j ${marks}, e ${bytes})`,
    )
    const session = bench.session({ text: "it's", whole: 3_000_000_000, part: 0.25, yes: true, map: { a: [1, 'x'] } })
    const params = ['{{$._s.text}}', '{{$._s.whole}}', '{{$._s.part}}', '{{$._s.yes}}', null, '{{$._s.map}}', null]
    const { outcome } = await bench.run({ query: `insert into ${table} values (?, ?, ?, ?, ?, ?, ?)`, params }, session)
    expect(outcome.refusal ?? outcome.failure).toBe(undefined)
    const map = title === 'SQLite' ? '{"a":[1,"x"]}' : { a: [1, 'x'] }
    expect(await bench.entity(`select * from ${table}`)).toEqual([
      { t: "it's", i: 3_000_000_000, d: 0.25, b: true, n: null, j: map, e: null },
    ])
    expect(await bench.entity(`select t from ${table} where i = ? and b = ?`, [3_000_000_000, true])).toEqual([
      { t: "it's" },
    ])
  })

  test('a text longer than a packet of the network comes back whole', async () => {
    const long = 'é'.repeat(100_000)
    const cast = title === 'PostgreSQL' ? '?::text' : '?'
    expect(await bench.entity(`select ${cast} as x`, [long])).toEqual([{ x: long }])
  })
})

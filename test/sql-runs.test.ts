import { join } from 'node:path'
import { checkSession } from '@onrush/engine/check-session'
import { localPlan } from '@onrush/engine/run'
import type { TraceEvent } from '@onrush/engine/trace'
import type { Json } from '@onrush/protocol/json'
import { startDemoTarget } from '@onrush/servers/demo-target'
import { startMariadb } from '@onrush/servers/mariadb'
import { startPostgres } from '@onrush/servers/postgres'
import { loadSimulation } from 'onrush/load-simulation'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { SqlBench } from '../libs/engine/src/sql/sql.testing.ts'
import { createShopFile } from '../services/demo-target/src/sql/shop-file.ts'
import { errorsOf, inline, run, start, statusesOf, stepOf } from './support/engine-run.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const [postgres, mariadb, target] = await Promise.all([
  startPostgres({ preload: ['pg_stat_statements'] }),
  startMariadb(),
  startDemoTarget(),
])
afterAll(() => Promise.all([postgres.stop(), mariadb.stop(), target.stop()]))
afterEach(() => target.resetStats())

const clients = [
  { title: 'PostgreSQL', client: 'pg', url: async () => postgres.url, sleep: 'select pg_sleep(30)' },
  { title: 'MariaDB', client: 'mysql2', url: async () => mariadb.url, sleep: 'select sleep(30)' },
  {
    title: 'SQLite',
    client: 'better-sqlite3',
    url: async () => createShopFile(join(await temporaryFolder(), 'counts.sqlite')),
    sleep: '',
  },
]

const sqlStep = (name: string, query: string, params: Json[] = [], more: object = {}) => ({
  type: 'sql',
  name,
  on: 'db',
  query,
  params,
  ...more,
})

/** A database with an empty table, looked at beside the run. */
async function watched(client: string, url: string, table: string, columns: string): Promise<SqlBench> {
  const watcher = new SqlBench({ client, connection: url, pool: { max: 1 } })
  await watcher.entity(`drop table if exists ${table}`)
  await watcher.entity(`create table ${table} (${columns})`)
  return watcher
}

describe.each(clients)('$title', ({ title, client, url }) => {
  test("counts are the database's own", async () => {
    const connection = await url()
    const watcher = await watched(client, connection, 'seen', 'iteration integer, note varchar(50)')
    const warnings: string[] = []
    const { result, summary } = await run(
      inline({
        sql: { db: { client, connection, ...(client === 'better-sqlite3' ? {} : { pool: { max: 3 } }) } },
        inject: [{ type: 'iterations', iterations: 500, users: 20 }],
        scenarios: [
          {
            name: 'a',
            steps: [
              sqlStep(
                'note',
                'insert into seen values (?, ?)',
                ['{{$._g.iteration}}', "it's {{$._g.user}}/{{$._g.iteration}}"],
                {
                  assert: { '$.status': 0, '$.entity.affected': 1 },
                },
              ),
              sqlStep('count', 'select count(*) as n from seen', [], { assert: { '$.entity[0].n': { $gt: 0 } } }),
              sqlStep('refused', 'insert into no_such_table values (1)', [], { onFailure: 'continue' }),
              sqlStep('expected', 'select * from no_such_table', [], { assert: { '$.status': 1 } }),
            ],
          },
        ],
      }),
      {},
      { onWarning: warning => warnings.push(warning) },
    )
    const [totals] = Array.from(
      Object(await watcher.entity('select count(*) as n, count(distinct note) as s from seen')),
    )
    await watcher.close()
    expect(totals).toEqual({ n: 500, s: 500 })
    expect(stepOf(summary, 'note')).toMatchObject({ count: 500, ok: 500 })
    expect(statusesOf(stepOf(summary, 'note'))).toEqual({ 0: 500 })
    expect(stepOf(summary, 'count')).toMatchObject({ count: 500, ok: 500 })
    expect(stepOf(summary, 'refused')).toMatchObject({ count: 500, ko: 500 })
    const codes: Record<string, string> = { PostgreSQL: '42P01', MariaDB: 'ER_NO_SUCH_TABLE', SQLite: 'SQLITE_ERROR' }
    expect(errorsOf(stepOf(summary, 'refused'))).toEqual({ [`sql:${codes[title]}`]: 500 })
    expect(statusesOf(stepOf(summary, 'refused'))).toEqual({ 1: 500 })
    expect(stepOf(summary, 'expected')).toMatchObject({ count: 500, ok: 500 })
    expect(result.shard).toMatchObject({ imbalances: [], crashes: [] })
    const said =
      client === 'better-sqlite3'
        ? 'up to 2 (2 threads, 1 each)'
        : 'up to 8 (2 threads, 3 and 1 for ending statements each)'
    expect(warnings).toContain(`SQL connections to db: ${said}`)
  })

  test('a value goes from SQL to HTTP, and one from HTTP to SQL', async () => {
    const connection = await url()
    const watcher = await watched(
      client,
      connection,
      'wanted',
      'id integer primary key, item integer, price numeric(10, 2)',
    )
    await watcher.entity('insert into wanted (id, item) values (1, 37), (2, 38)')
    const { result, summary } = await run(
      inline({
        sql: { db: { client, connection } },
        http: { baseUrl: target.url },
        inject: [{ type: 'iterations', iterations: 2, users: 1 }],
        scenarios: [
          {
            name: 'a',
            steps: [
              sqlStep('wanted', 'select item from wanted where id = ?', ['{{$._g.iteration}}'], {
                export: { item: '$.entity[0].item' },
              }),
              {
                type: 'http',
                name: 'log in',
                method: 'POST',
                url: '/login',
                body: { user: 'ann', password: 'secret' },
                export: { token: '$.entity.token' },
              },
              {
                type: 'http',
                name: 'item',
                method: 'GET',
                url: '/items/{{$._s.item}}',
                headers: { authorization: 'Bearer {{$._s.token}}' },
                export: { price: '$.entity.price' },
              },
              sqlStep('price', 'update wanted set price = ? where item = ?', ['{{$._s.price}}', '{{$._s.item}}'], {
                assert: { '$.entity.affected': 1 },
              }),
            ],
          },
        ],
      }),
    )
    expect(result.verdict).toBe('passed')
    expect(stepOf(summary, 'price')).toMatchObject({ count: 2, ok: 2 })
    // 37 × 37 and 38 × 37 hundredths above 1.00: the target makes prices from numbers.
    expect(await watcher.entity('select item, price from wanted order by id')).toEqual([
      { item: 37, price: 14.69 },
      { item: 38, price: 15.06 },
    ])
    await watcher.close()
    expect((await target.stats()).responses).toMatchObject({ 'GET /items/:id 200': 2 })
  })

  test('a check shows the statement, its values and its rows, without secrets', async () => {
    const connection = await url()
    const loaded = inline({
      environments: { local: { db: { $secret: connection }, key: { $secret: 'hush-hush' } } },
      sql: { db: { client, connection: '{{$._env.db}}' } },
      inject: [{ type: 'iterations', iterations: 1, users: 1 }],
      scenarios: [
        {
          name: 'a',
          steps: [
            sqlStep('one', "select 1 as one, 'x' as x", []),
            sqlStep('two', 'select 1 from nothing where a = ?', ['{{$._env.key}}']),
          ],
        },
      ],
    })
    const events: TraceEvent[] = []
    const ok = await checkSession(localPlan(loaded, { runId: 'check', threads: 1, seed: 1 }), event =>
      events.push(event),
    )
    expect(ok).toBe(false)
    const of = (type: TraceEvent['type'], step: string) =>
      events.find(event => event.type === type && 'step' in event && event.step === step)
    expect(of('request', 'one')).toMatchObject({ method: 'STATEMENT', url: 'db' })
    expect(of('response', 'one')).toMatchObject({ status: 0, body: '[{"one":1,"x":"x"}]' })
    expect(of('request', 'two')).toMatchObject({
      body: '{"query":"select 1 from nothing where a = ?","params":["***"]}',
    })
    expect(of('failure', 'two')).toMatchObject({ kind: expect.stringMatching(/^sql:/) })
    const shown = JSON.stringify(events)
    expect(shown).not.toContain('hush-hush')
    expect(shown).not.toContain(connection)
  })
})

describe.each(clients.filter(({ sleep }) => sleep !== ''))('$title', ({ client, url, sleep }) => {
  test('a run that is aborted ends its statements', async () => {
    const connection = await url()
    const watcher = new SqlBench({ client, connection, pool: { max: 1 } })
    const sleeping =
      client === 'pg'
        ? "select count(*) as n from pg_stat_activity where state = 'active' and query like '%sleep(30)%' and pid <> pg_backend_pid()"
        : "select count(*) as n from information_schema.processlist where info like '%sleep(30)%' and id <> connection_id()"
    const running = start(
      inline({
        sql: { db: { client, connection, pool: { max: 2 } } },
        inject: [{ type: 'iterations', iterations: 4, users: 4 }],
        scenarios: [{ name: 'a', steps: [sqlStep('sleep', sleep)] }],
      }),
    )
    await vi.waitFor(async () => expect(await watcher.entity(sleeping)).toEqual([{ n: 4 }]), {
      timeout: 30_000,
      interval: 100,
    })
    running.abort('enough')
    const { shard } = await running.result
    expect(shard.crashes).toEqual([])
    expect(shard.books).toMatchObject([{ started: 4, interrupted: 4 }])
    expect(await watcher.entity(sleeping)).toEqual([{ n: 0 }])
    await watcher.close()
  })

  test('more connections than declared are refused before the start', async () => {
    const loaded = inline({
      sql: { db: { client, connection: await url(), pool: { max: 10 }, maxConnections: 43 } },
      inject: [{ type: 'iterations', iterations: 1, users: 1 }],
      scenarios: [{ name: 'a', steps: [sqlStep('one', 'select 1')] }],
    })
    await expect(run(loaded, { threads: 4 })).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ path: '$.sql.db.maxConnections', message: expect.stringContaining('got up to 44') }],
    })
  })
})

test('PostgreSQL has counted the very statements of a run, and no other', async () => {
  const client = 'pg'
  const connection = postgres.url
  const watcher = await watched(client, connection, 'ledger', 'id text primary key, note text')
  await watcher.entity('create extension if not exists pg_stat_statements')
  await watcher.entity('select pg_stat_statements_reset()')
  const id = '{{$._g.user}}/{{$._g.iteration}}'
  const { summary } = await run(
    inline({
      sql: { db: { client, connection, pool: { max: 3 } } },
      inject: [{ type: 'iterations', iterations: 300, users: 12 }],
      scenarios: [
        {
          name: 'a',
          steps: [
            sqlStep('note', 'insert into ledger values (?, ?)', [id, 'a']),
            sqlStep('again', 'insert into ledger values (?, ?) -- refused', [id, 'b'], {
              assert: { '$.status': 1 },
            }),
            sqlStep('look', 'select note from ledger where id = ?', [id]),
            {
              type: 'sql',
              name: 'both',
              on: 'db',
              transaction: [
                { query: 'update ledger set note = ? where id = ?', params: ['c', id] },
                { query: 'delete from ledger where id = ?', params: [id] },
              ],
            },
          ],
        },
      ],
    }),
  )
  const counted = await watcher.entity(
    "select query, calls from pg_stat_statements where query not like '%pg_stat_statements%' order by query",
  )
  await watcher.close()
  // What it refuses it does not count.
  expect(stepOf(summary, 'again')).toMatchObject({ count: 300, ok: 300 })
  expect(statusesOf(stepOf(summary, 'again'))).toEqual({ 1: 300 })
  const [note, look, both] = ['note', 'look', 'both'].map(name => stepOf(summary, name).ok)
  expect([note, look, both]).toEqual([300, 300, 300])
  expect(counted).toEqual([
    { query: 'BEGIN', calls: both },
    { query: 'COMMIT', calls: both },
    { query: 'delete from ledger where id = $1', calls: both },
    { query: 'insert into ledger values ($1, $2)', calls: note },
    { query: 'select note from ledger where id = $1', calls: look },
    { query: 'update ledger set note = $1 where id = $2', calls: both },
  ])
})

test('a file that another process has locked: SQLITE_BUSY after the timeout of its connection', async () => {
  const connection = await createShopFile(join(await temporaryFolder(), 'locked.sqlite'))
  const { default: open } = await import('better-sqlite3')
  const other = open(connection)
  other.exec('begin exclusive')
  const db = new SqlBench({ client: 'better-sqlite3', connection, timeout: '50ms' })
  const { outcome } = await db.query("insert into users values ('x', 'y', 1, '2026-01-01')")
  expect(outcome.refusal?.kind).toBe('sql:SQLITE_BUSY')
  other.exec('rollback')
  expect((await db.query("insert into users values ('x', 'y', 1, '2026-01-01')")).outcome.refusal).toBe(undefined)
  await db.close()
  other.close()
})

test('the example in YAML: what the database has goes to the service and back', async () => {
  const db = await createShopFile(join(await temporaryFolder(), 'shop.sqlite'))
  const { simulation } = await loadSimulation('simulations/sql-and-http.yaml', { cacheDir: await temporaryFolder() })
  const { result, summary } = await run(
    inline({ ...simulation, inject: [{ type: 'iterations', iterations: 30, users: 5 }], thresholds: {} }),
    { env: { shop: target.url, db } },
  )
  expect(result.verdict).toBe('passed')
  expect(stepOf(summary, 'keep the order')).toMatchObject({ count: 30, ok: 30 })
  const watcher = new SqlBench({ client: 'better-sqlite3', connection: db })
  expect(await watcher.entity('select count(*) as n, sum(quantity) as q from orders')).toEqual([{ n: 30, q: 60 }])
  await watcher.close()
})

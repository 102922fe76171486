import { createServer } from 'node:net'
import { startMariadb } from '@onrush/servers/mariadb'
import { startPostgres } from '@onrush/servers/postgres'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { SqlBench } from '../libs/engine/src/sql/sql.testing.ts'

const [postgres, mariadb] = await Promise.all([startPostgres(), startMariadb()])
afterAll(() => Promise.all([postgres.stop(), mariadb.stop()]))

interface Kind {
  readonly title: string
  readonly client: string
  readonly url: string
  readonly kinds: {
    readonly duplicate: string
    readonly noTable: string
    readonly syntax: string
    readonly login: string
  }
  readonly sleep: string
  /** How many statements that sleep are running, as the server tells it. */
  readonly sleeping: string
  /** How many connections the server has from us, besides the one that asks. */
  readonly connections: string
}

const servers: Kind[] = [
  {
    title: 'PostgreSQL',
    client: 'pg',
    url: postgres.url,
    kinds: { duplicate: '23505', noTable: '42P01', syntax: '42601', login: '28P01' },
    sleep: 'select pg_sleep(30)',
    sleeping:
      "select count(*) as n from pg_stat_activity where state = 'active' and query like '%sleep(30)%' and pid <> pg_backend_pid()",
    connections:
      "select count(*) as n from pg_stat_activity where application_name = 'onrush' and pid <> pg_backend_pid()",
  },
  {
    title: 'MariaDB',
    client: 'mysql2',
    url: mariadb.url,
    kinds: {
      duplicate: 'ER_DUP_ENTRY',
      noTable: 'ER_NO_SUCH_TABLE',
      syntax: 'ER_PARSE_ERROR',
      login: 'ER_ACCESS_DENIED_ERROR',
    },
    sleep: 'select sleep(30)',
    sleeping:
      "select count(*) as n from information_schema.processlist where info like '%sleep(30)%' and id <> connection_id()",
    connections:
      "select count(*) as n from information_schema.processlist where user = 'onrush' and id <> connection_id()",
  },
]
const sqlite = {
  title: 'SQLite',
  client: 'better-sqlite3',
  url: ':memory:',
  kinds: { duplicate: 'SQLITE_CONSTRAINT_PRIMARYKEY', noTable: 'SQLITE_ERROR', syntax: 'SQLITE_ERROR', login: '' },
}

const open: SqlBench[] = []
function bench(
  kind: Pick<Kind, 'client' | 'url'>,
  more: object = {},
  tools: ConstructorParameters<typeof SqlBench>[1] = {},
) {
  const made = new SqlBench({ client: kind.client, connection: kind.url, ...more }, tools)
  open.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(each => each.close()))
})

const patient = { timeout: 20_000, interval: 50 }
const countOf = async (watcher: SqlBench, query: string) => {
  const [row] = Array.from(Object(await watcher.entity(query)), each => Object(each))
  return Number(row?.n)
}

describe.each([...servers, sqlite])('$title', kind => {
  test('rows, changes, new ids; a refusal has the code as its kind', async () => {
    const db = bench(kind, { pool: { max: 1 } })
    await db.entity('drop table if exists things')
    await db.entity('create table things (id integer primary key, name varchar(100))')
    expect(await db.entity('insert into things values (?, ?), (?, ?)', [1, 'a', 2, 'b'])).toMatchObject({ affected: 2 })
    expect(await db.entity('select * from things order by id')).toEqual([
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ])
    expect(await db.entity('select * from things where id = ?', [9])).toEqual([])
    expect(await db.entity('update things set name = ? where id > ?', ['c', 0])).toEqual({
      affected: 2,
      insertId: null,
    })
    expect(await db.entity('insert into things values (3, ?) returning id', ['x'])).toEqual([{ id: 3 }])

    const { duplicate, noTable, syntax } = kind.kinds
    for (const [query, code] of [
      ["insert into things values (1, 'again')", duplicate],
      ['select * from no_such_table', noTable],
      ['select from where', syntax],
    ] as const) {
      const { outcome, status, entity } = await db.query(query)
      expect([status, outcome.answer, outcome.refusal?.kind]).toEqual([
        1,
        { reach: 'answered', status: 1 },
        `sql:${code}`,
      ])
      expect(entity).toMatchObject({ code, message: outcome.refusal?.message })
    }
    // Two statements in one text are refused, with values and without: nothing else can be smuggled in.
    const two = await db.query("select 1; delete from things where name = 'c'").catch(error => ({ outcome: error }))
    expect(two.outcome.refusal?.kind ?? two.outcome.failure?.kind).toMatch(/sql:|render/)
    expect(await db.entity('select count(*) as n from things')).toEqual([{ n: 3 }])
  })

  test('an attempt at SQL injection stays a value', async () => {
    const db = bench(kind, { pool: { max: 1 } })
    await db.entity('drop table if exists users')
    await db.entity('create table users (name varchar(200), password varchar(100))')
    await db.entity("insert into users values ('ann', 'secret')")
    for (const attempt of [
      "' or '1'='1",
      "'; drop table users; --",
      '" or ""="',
      "\\' or 1=1 -- ",
      { password: 1 },
      ['ann'],
    ]) {
      const session = db.session({ attempt })
      const { outcome, entity } = await db.run(
        { query: 'select * from users where name = ? and password = ?', params: ['ann', '{{$._s.attempt}}'] },
        session,
      )
      expect([outcome.refusal, outcome.failure, entity]).toEqual([undefined, undefined, []])
    }
    expect(await db.entity('select count(*) as n from users')).toEqual([{ n: 1 }])
    const session = db.session({ name: "'; drop table users; --" })
    await db.run({ query: 'insert into users values (?, ?)', params: ['{{$._s.name}}', 'x'] }, session)
    expect(await db.entity("select name from users where password = 'x'")).toEqual([
      { name: "'; drop table users; --" },
    ])
  })

  test('a transaction is done whole or not at all', async () => {
    const db = bench(kind, { pool: { max: 1 } })
    await db.entity('drop table if exists accounts')
    await db.entity('create table accounts (id integer primary key, amount integer)')
    const done = await db.run({
      transaction: [
        { query: 'insert into accounts values (?, ?)', params: [1, 100] },
        { query: 'select amount from accounts where id = ?', params: [1] },
      ],
    })
    expect(done.entity).toMatchObject([{ affected: 1 }, [{ amount: 100 }]])
    const failed = await db.run({
      transaction: [
        { query: 'update accounts set amount = ?', params: [0] },
        { query: 'insert into accounts values (1, 1)' },
        { query: 'delete from accounts' },
      ],
    })
    expect(failed.outcome.refusal).toMatchObject({
      kind: `sql:${kind.kinds.duplicate}`,
      message: expect.stringContaining('statement 2 of 3'),
    })
    expect(await db.entity('select * from accounts')).toEqual([{ id: 1, amount: 100 }])
    const left = await db.query('begin')
    expect(left.outcome.refusal?.kind).toBe('sql:open_transaction')
    expect((await db.query('select 1 as one')).entity).toEqual([{ one: 1 }])
  })

  test('a template in the text is refused, unless it is raw; values are counted', async () => {
    const db = bench(kind)
    const faultsOf = async (fields: Parameters<SqlBench['compile']>[0]) =>
      (await db.compile(fields)).faults.map(({ path, message }) => `${path}: ${message}`)
    expect(await faultsOf({ query: 'select {{$._s.x}}' })).toEqual([
      expect.stringContaining('$.steps[0].query: expected a statement without templates'),
    ])
    expect(await faultsOf({ query: 'select ?, ?', params: [1] })).toEqual([
      expect.stringContaining('the statement takes 2, "params" has 1'),
    ])
    expect(await faultsOf({ transaction: [{ query: 'select 1' }, { query: 'select ?' }] })).toEqual([
      expect.stringContaining('$.steps[0].transaction[1].query: '),
    ])
    const session = db.session({ column: 'answer' })
    const raw = await db.run({ query: 'select ? as {{$._s.column}}', params: ['x'], raw: true }, session)
    expect(raw.entity).toEqual([{ answer: 'x' }])
    await expect(db.run({ query: 'select {{$._s.column}}, ?', raw: true }, session)).rejects.toThrow(
      'the statement takes 1',
    )
  })
})

describe.each(servers)('$title', kind => {
  test('a statement that takes too long is ended on the server, and its connection used again', async () => {
    const watcher = bench(kind, { pool: { max: 1 } })
    const db = bench(kind, { pool: { min: 2, max: 2 } })
    const { outcome, status } = await db.query(kind.sleep, [], { timeout: '300ms' })
    expect(outcome).toMatchObject({ failure: { kind: 'timeout_total' }, answer: { reach: 'in-doubt' } })
    expect(status).toBe(undefined)
    await vi.waitFor(async () => expect(await countOf(watcher, kind.sleeping)).toBe(0), patient)
    const sessions = Array.from({ length: 2 }, () => db.query('select 1 as one'))
    expect((await Promise.all(sessions)).map(({ entity }) => entity)).toEqual([[{ one: 1 }], [{ one: 1 }]])
  })

  test('many at once are all ended, and the statements after them are left alone', async () => {
    const watcher = bench(kind, { pool: { max: 1 } })
    const db = bench(kind, { pool: { min: 5, max: 5 } })
    // Opens all five: what is cut below is statements.
    await db.query('select 1')
    const cut = await Promise.all(Array.from({ length: 5 }, () => db.query(kind.sleep, [], { timeout: '200ms' })))
    expect(new Set(cut.map(({ outcome }) => outcome.failure?.kind))).toEqual(new Set(['timeout_total']))
    const after = await Promise.all(Array.from({ length: 200 }, (_, i) => db.query('select ? as x', [`${i}`])))
    expect(after.filter(({ outcome }) => (outcome.failure ?? outcome.refusal) !== undefined)).toEqual([])
    await vi.waitFor(async () => expect(await countOf(watcher, kind.sleeping)).toBe(0), patient)
    // Five of the pool and, in MariaDB, the one that ends statements.
    expect(await countOf(watcher, kind.connections)).toBeLessThanOrEqual(6)
  })

  test('a transaction that is cut is rolled back', async () => {
    const db = bench(kind, { pool: { max: 1 } })
    await db.entity('drop table if exists cut')
    await db.entity('create table cut (id integer)')
    const transaction = [
      { query: 'insert into cut values (1)' },
      { query: kind.sleep },
      { query: 'insert into cut values (2)' },
    ]
    const { outcome } = await db.run({ transaction, timeout: '300ms' })
    expect(outcome.failure?.kind).toBe('timeout_total')
    expect(await db.entity('select count(*) as n from cut')).toEqual([{ n: 0 }])
  })

  test('an interrupted session ends its statement', async () => {
    const watcher = bench(kind, { pool: { max: 1 } })
    const db = bench(kind, { pool: { max: 1 } })
    const session = db.session()
    const running = db.run({ query: kind.sleep }, session)
    await vi.waitFor(async () => expect(await countOf(watcher, kind.sleeping)).toBe(1), patient)
    const waiting = db.session()
    const behind = db.query('select 1', [], {}).catch(error => error)
    const interrupted = db.run({ query: 'select 2' }, waiting)
    await new Promise(setImmediate)
    session.interrupt()
    waiting.interrupt()
    expect((await running).outcome).toMatchObject({ failure: { kind: 'interrupted' }, answer: { reach: 'in-doubt' } })
    expect((await interrupted).outcome).toMatchObject({ failure: { kind: 'interrupted' }, answer: { reach: 'unsent' } })
    expect((await behind).outcome.answer).toEqual({ reach: 'answered', status: 0 })
    expect(await countOf(watcher, kind.sleeping)).toBe(0)
  })

  test('who waits for a connection too long is told so; thousands wait and then work', async () => {
    const db = bench(kind, { pool: { max: 1 } })
    await db.query('select 1')
    const slow = db.query(kind.sleep.replace('30', '2'))
    const late = await db.query('select 1', [], { timeout: '200ms' })
    expect(late.outcome).toMatchObject({ failure: { kind: 'sql:pool_timeout' }, answer: { reach: 'unsent' } })
    expect(late.outcome.failure?.message).toBe('none of the 1 connections of this thread to db was free within 200 ms')
    const { runner } = await db.compile({ query: 'select ? as x', params: ['{{$._g.user}}'] })
    const outcomes = await Promise.all(Array.from({ length: 3000 }, () => runner?.run(db.session())))
    expect(outcomes.filter(outcome => outcome?.answer.status !== 0 || outcome.failure !== undefined)).toEqual([])
    expect((await slow).outcome.failure).toBe(undefined)
  })

  test('a connection is measured when it is opened, and apart from the statement', async () => {
    const db = bench(kind, { pool: { max: 1 } })
    const session = db.session()
    const first = await db.run({ query: 'select 1' }, session)
    const second = await db.run({ query: 'select 1' }, session)
    expect(first.outcome.connectMicros).toBeGreaterThan(0)
    expect(second.outcome.connectMicros).toBe(0)
    expect(second.outcome.bytesIn).toBeGreaterThan(0)
    expect(second.outcome.bytesOut).toBeGreaterThan(0)
    expect(session.context.time).toMatchObject({ connect: 0, request: expect.any(Number), micros: expect.any(Number) })
  })

  test('refused, unknown, wrong password: a kind each, and no password in any text', async () => {
    const url = new URL(kind.url)
    const password = decodeURIComponent(url.password)
    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => closed.once('listening', resolve))
    const address = closed.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await new Promise(resolve => closed.close(resolve))
    for (const [change, expected] of [
      [(each: URL) => (each.port = `${port}`), 'refused'],
      [(each: URL) => (each.hostname = 'no-such-host.invalid'), 'dns'],
      [(each: URL) => (each.password = `${password}-wrong`), `sql:${kind.kinds.login}`],
    ] as const) {
      const changed = new URL(kind.url)
      change(changed)
      const db = bench({ client: kind.client, url: changed.href })
      const answers = await Promise.all(Array.from({ length: 20 }, () => db.query('select 1')))
      expect(new Set(answers.map(({ outcome }) => outcome.failure?.kind))).toEqual(new Set([expected]))
      expect(answers[0]?.outcome.answer.reach).toBe('unsent')
      expect(JSON.stringify(answers)).not.toContain(password)
    }
    const plain = bench({ client: kind.client, url: `${kind.url}?sslmode=require` })
    expect((await plain.query('select 1')).outcome.failure?.kind).toBe('tls')
    const warm = bench(
      { client: kind.client, url: kind.url.replace(/@[^/]+/, `@127.0.0.1:${port}`) },
      { pool: { min: 1 } },
    )
    const { faults } = await warm.compile({ query: 'select 1' })
    expect(faults).toMatchObject([{ path: '$.sql.db.pool.min', message: expect.stringContaining('cannot connect') }])
    expect(JSON.stringify(faults)).not.toContain(password)
  })

  test('a server that says nothing: the connection takes too long', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await new Promise(resolve => silent.once('listening', resolve))
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const db = bench({ client: kind.client, url: kind.url.replace(/@[^/]+/, `@127.0.0.1:${port}`) })
    const { outcome } = await db.query('select 1', [], { timeout: '200ms' })
    expect(outcome).toMatchObject({ failure: { kind: 'timeout_connect' }, answer: { reach: 'unsent' } })
  })

  test('a refused target is never connected to, by address or by name', async () => {
    let connections = 0
    const listener = createServer(socket => {
      connections++
      socket.destroy()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void listener.close())
    await new Promise(resolve => listener.once('listening', resolve))
    const address = listener.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const asked: (string | undefined)[] = []
    const guard = {
      refusal: (host: string, resolved: string | undefined) => {
        asked.push(resolved)
        return `${host} is not an allowed target`
      },
    }
    for (const host of ['127.0.0.1', 'localhost']) {
      const db = bench({ client: kind.client, url: kind.url.replace(/@[^/]+/, `@${host}:${port}`) }, {}, { guard })
      const { outcome } = await db.query('select 1')
      expect(outcome.failure).toEqual({ kind: 'target_refused', message: `db: ${host} is not an allowed target` })
    }
    expect(asked.length).toBeGreaterThan(0)
    expect(connections).toBe(0)
  })

  test('a connection that the server ends is replaced', async () => {
    const watcher = bench(kind, { pool: { max: 1 } })
    const db = bench(kind, { pool: { max: 1 } })
    const id = kind.client === 'pg' ? 'select pg_backend_pid() as id' : 'select connection_id() as id'
    const [before] = Array.from(Object(await db.entity(id)), each => Object(each))
    await watcher.entity(
      kind.client === 'pg' ? 'select pg_terminate_backend(?::int)' : `kill ${before.id}`,
      kind.client === 'pg' ? [before.id] : [],
    )
    // Known to be gone or not yet: one failure at most, then a new connection.
    await vi.waitFor(async () => {
      const { outcome, entity } = await db.query(id)
      expect(outcome.failure ?? outcome.refusal).toBe(undefined)
      expect(entity).not.toEqual([{ id: before.id }])
    }, patient)
  })
})

test('connections that cannot be: a file that is not there, more than allowed, a reference to a session', async () => {
  const refused = bench(sqlite, { connection: '/nowhere/shop.sqlite' })
  expect((await refused.compile({ query: 'select 1' })).faults).toMatchObject([
    { path: '$.sql.db.connection', message: expect.stringContaining('there is no file "/nowhere/shop.sqlite"') },
  ])
  const many = bench({ client: 'pg', url: postgres.url }, { pool: { max: 10 }, maxConnections: 20 }, { threads: 2 })
  expect((await many.compile({ query: 'select 1' })).faults).toEqual([
    {
      path: '$.sql.db.maxConnections',
      message:
        'expected at most 20 connections, got up to 22 (2 threads, 10 and 1 for ending statements each): a pool.max of 9 fits',
    },
  ])
  const session = bench({ client: 'pg', url: '{{$._s.db}}' })
  expect((await session.compile({ query: 'select 1' })).faults).toMatchObject([{ path: '$.sql.db.connection' }])
})

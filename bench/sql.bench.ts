// SQL steps per second of CPU time against the bare drivers in the same process, alternating (bar: 0.75 on servers).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createEnvironment } from '@onrush/context/environment'
import { Random } from '@onrush/context/random'
import { allocateMemory } from '@onrush/metrics/memory'
import { Recorder } from '@onrush/metrics/recorder'
import type { Fault } from '@onrush/protocol/problem'
import { SqlConnection, SqlStep } from '@onrush/protocol/sql-step'
import { startMariadb } from '@onrush/servers/mariadb'
import { startPostgres } from '@onrush/servers/postgres'
import Database from 'better-sqlite3'
import knex from 'knex'
import { createConnection } from 'mysql2'
import pg from 'pg'
import { FailureSamples } from '../libs/engine/src/session/failure-samples.ts'
import { Mask } from '../libs/engine/src/session/mask.ts'
import { RunClock } from '../libs/engine/src/session/run-clock.ts'
import { Session } from '../libs/engine/src/session/session.ts'
import { SqlProtocol } from '../libs/engine/src/sql/sql-protocol.ts'
import { CompiledRequest } from '../libs/engine/src/steps/request.ts'

const bar = 0.75
const atOnce = 8
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '0.3' }, rounds: { type: 'string', default: '15' } },
})

const statement = 'select id, name, price, stock from item where id = ?'
/** Does the n-th statement, and resolves when its rows are there. */
type Doer = (lane: number, n: number) => Promise<unknown> | undefined

interface Measured {
  readonly perSecond: number
  readonly perCpuSecond: number
}

async function measure(doer: Doer, seconds: number): Promise<Measured> {
  let done = 0
  const end = performance.now() + seconds * 1000
  const cpu = process.cpuUsage()
  const began = performance.now()
  const lanes = Array.from({ length: atOnce }, async (_, lane) => {
    while (performance.now() < end) {
      const waiting = doer(lane, (done % 1000) + 1)
      if (waiting !== undefined) await waiting
      done++
    }
  })
  await Promise.all(lanes)
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: (done / (performance.now() - began)) * 1000, perCpuSecond: (done / (user + system)) * 1e6 }
}

/** Whole steps, as a thread runs them: rendered, sent, judged and counted. */
async function steps(client: string, connection: string, assert: SqlStep['assert']) {
  const faults: Fault[] = []
  const environment = createEnvironment({}, [], faults)
  const recorder = new Recorder(allocateMemory())
  const protocol = new SqlProtocol({
    connections: {
      db: SqlConnection.parse({
        client,
        connection,
        ...(client === 'better-sqlite3' ? {} : { pool: { max: atOnce } }),
      }),
    },
    environment,
    threads: 1,
  })
  const clock = new RunClock()
  clock.begin(performance.timeOrigin + performance.now())
  const workshop = {
    recorder,
    protocols: { sql: protocol },
    samples: new FailureSamples(() => undefined),
    clock,
    mask: new Mask([]),
    slots: undefined,
    faults,
  }
  const step = SqlStep.parse({
    type: 'sql',
    name: 'item',
    on: 'db',
    query: statement,
    params: ['{{$._s.id}}'],
    assert,
  })
  const runner = protocol.compile(step, '$', faults)
  if (runner === undefined) throw new Error('the step was not compiled')
  const scope = { workshop, scenario: 'bench', group: undefined, onFailure: 'stop', thinkTimes: 1 } as const
  const request = new CompiledRequest(step, protocol, runner, scope, '$')
  await protocol.prepare(faults)
  if (faults.length > 0) throw new Error(JSON.stringify(faults))
  const settings = { environment, variables: { names: [], apply: () => undefined }, renderResponses: true }
  const sessions = Array.from({ length: atOnce }, (_, i) => {
    const session = new Session(recorder.generator)
    session.reset(i + 1)
    const globals = { runId: 'bench', worker: 'here', user: i, iteration: 1, arrival: i }
    session.context.beginSession(settings, globals, new Random(1, i))
    return session
  })
  const doer: Doer = async (lane, n) => {
    const session = sessions[lane]
    if (session === undefined) return
    session.context.export('_s', 'id', n)
    if (!(await request.run(session))) throw new Error(`a step failed: ${JSON.stringify(session.context.entity)}`)
  }
  return { doer, close: () => protocol.close() }
}

interface Contest {
  readonly title: string
  readonly bar: number | undefined
  readonly bare: Doer
  readonly others: readonly (readonly [name: string, doer: Doer])[]
}

async function compare({ title, bare, others, bar }: Contest): Promise<boolean> {
  const seconds = Number(values.seconds)
  const rounds = Number(values.rounds)
  for (const doer of [bare, ...others.map(([, other]) => other)]) await measure(doer, 0.5)
  const yardsticks: number[] = []
  const measured = others.map((): { perCpuSecond: number; ratio: number; byClock: number }[] => [])
  // Short turns, so that what else the machine does meets all alike.
  for (let round = 1; round <= rounds; round++) {
    const yardstick = await measure(bare, seconds)
    yardsticks.push(yardstick.perCpuSecond)
    for (const [i, [, other]] of others.entries()) {
      const { perSecond, perCpuSecond } = await measure(other, seconds)
      const ratio = perCpuSecond / yardstick.perCpuSecond
      measured[i]?.push({ perCpuSecond, ratio, byClock: perSecond / yardstick.perSecond })
    }
  }
  console.log(`${title}: medians of ${rounds} turns of ${seconds} s, ${atOnce} at once`)
  console.log(`  the bare driver: ${Math.round(median(yardsticks))} statements per second of CPU time`)
  const ratios = others.map(([name], i) => {
    const turns = measured[i] ?? []
    const ratio = median(turns.map(each => each.ratio))
    const rate = Math.round(median(turns.map(each => each.perCpuSecond)))
    const byClock = median(turns.map(each => each.byClock)).toFixed(2)
    console.log(`  ${name}: ${rate}, ${ratio.toFixed(2)}× (by the clock ${byClock}×)`)
    return ratio
  })
  const met = bar === undefined || (ratios[0] ?? 0) >= bar
  if (bar !== undefined) console.log(`  the bar for steps is ${bar}×: ${met ? 'met' : 'NOT met'}`)
  return met
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

const readRow = { '$.status': 0, '$.entity[0].name': { $type: 'string' } }
const rows = Array.from({ length: 1000 }, (_, i) => [i + 1, `item ${i + 1}`, (i % 100) + 0.5, i % 50] as const)
const table = 'create table item (id integer primary key, name varchar(100), price numeric(10, 2), stock integer)'
const insert = `insert into item values ${rows.map(([id, name, price, stock]) => `(${id}, '${name}', ${price}, ${stock})`).join(', ')}`

async function postgres(): Promise<boolean> {
  const server = await startPostgres()
  const clients = await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      return client
    }),
  )
  await clients[0]?.query(table)
  await clients[0]?.query(insert)
  const text = statement.replace('?', '$1')
  const plain = await steps('pg', server.url, { '$.status': 0 })
  const reading = await steps('pg', server.url, readRow)
  try {
    return await compare({
      title: 'PostgreSQL',
      bar,
      bare: (lane, n) => clients[lane]?.query(text, [n]),
      others: [
        ['steps', plain.doer],
        ['steps that read a row', reading.doer],
      ],
    })
  } finally {
    await Promise.all([plain.close(), reading.close(), ...clients.map(client => client.end())])
    await server.stop()
  }
}

async function mariadb(): Promise<boolean> {
  const server = await startMariadb()
  const connections = Array.from({ length: atOnce }, () => createConnection(server.url))
  const say = (text: string) => new Promise(resolve => connections[0]?.query(text, resolve))
  await say(table)
  await say(insert)
  const plain = await steps('mysql2', server.url, { '$.status': 0 })
  const reading = await steps('mysql2', server.url, readRow)
  try {
    return await compare({
      title: 'MariaDB',
      bar,
      bare: (lane, n) =>
        new Promise((resolve, reject) => {
          connections[lane]?.execute(statement, [n], (error, found) => (error ? reject(error) : resolve(found)))
        }),
      others: [
        ['steps', plain.doer],
        ['steps that read a row', reading.doer],
      ],
    })
  } finally {
    await Promise.all([plain.close(), reading.close()])
    for (const connection of connections) connection.destroy()
    await server.stop()
  }
}

async function sqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'onrush-bench-sql-'))
  const filename = join(folder, 'items.sqlite')
  const file = new Database(filename)
  file.exec(`${table}; ${insert}`)
  const prepared = file.prepare(statement)
  const through = knex({ client: 'better-sqlite3', connection: { filename }, useNullAsDefault: true })
  const plain = await steps('better-sqlite3', filename, { '$.status': 0 })
  const reading = await steps('better-sqlite3', filename, readRow)
  let turn = 0
  try {
    await compare({
      title: 'SQLite',
      bar: undefined,
      // It blocks: without a turn of the loop now and then its lanes would never change.
      bare: (_lane, n) => {
        prepared.all(n)
        return turn++ % 100 === 0 ? new Promise(setImmediate) : undefined
      },
      others: [
        ['steps', plain.doer],
        ['steps that read a row', reading.doer],
        ['knex.raw', (_lane, n) => Promise.resolve(through.raw(statement, [n]))],
      ],
    })
  } finally {
    await Promise.all([plain.close(), reading.close(), through.destroy()])
    file.close()
    rmSync(folder, { recursive: true })
  }
}

const met = [await postgres(), await mariadb()]
await sqlite()
if (met.includes(false)) process.exitCode = 1

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Loaded, localPlan } from '@onrush/engine/run'
import { runSetup } from '@onrush/engine/setup'
import { runShard } from '@onrush/engine/shard'
import { summarise } from '@onrush/metrics/summary'
import { Totals } from '@onrush/metrics/totals'
import { OnrushError } from '@onrush/protocol/error'
import { Simulation } from '@onrush/protocol/simulation'
import type { StepSummary } from '@onrush/protocol/summary'
import { type TargetRules, targetRules } from '@onrush/protocol/targets'
import { describe, expect, onTestFinished, test } from 'vitest'
import { inline } from './support/engine-run.ts'
import { loggingServer } from './support/logging-server.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { datagramWitness, witness } from './support/witness.ts'

// The whole of 127.0.0.0/8 is this machine, so one address of it can be allowed and another one not.
const allowed = '127.0.0.1'
const forbidden = '127.0.0.2'
const onlyAllowed = targetRules([allowed], true)

async function runUnder(targets: TargetRules, loaded: Loaded): Promise<StepSummary[]> {
  const plan = localPlan(loaded, { runId: 'targets-20260101000000-abcdef', threads: 1, seed: 1 })
  const shard = runShard(plan, { onReady: () => ({ at: performance.timeOrigin + performance.now() + 20 }), targets })
  const totals = new Totals()
  totals.add((await shard.result).totals)
  return summarise(totals).steps
}

const once1 = [{ type: 'iterations', iterations: 1, users: 1 }]
const spec = (steps: object[], more: object = {}): Loaded =>
  inline({
    ...more,
    scenarios: [{ name: 'one', inject: once1, steps: steps.map(step => ({ onFailure: 'continue', ...step })) }],
  })

const failuresOf = (steps: readonly StepSummary[]): Record<string, string[]> =>
  Object.fromEntries(steps.map(({ step, errors }) => [step, errors.map(({ kind }) => kind)]))
const allRefused = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, ['target_refused']]))

/** A script whose own code runs in the engine's threads only: the test's process loads it too, to see its steps. */
async function script(text: string, steps: object[] = []): Promise<Loaded> {
  const bundle = join(await temporaryFolder(), 'bundle.mjs')
  await writeFile(bundle, text)
  const simulation = Simulation.parse({
    scenarios: [{ name: 'one', inject: once1, steps: [...steps, { type: 'pause', for: '1ms' }] }],
  })
  return { simulation, source: { bundle, hash: 'test' } }
}

describe('what is refused never gets a packet', () => {
  test('http, however the address is written', async () => {
    const silent = await witness(forbidden)
    const urls = [
      `http://${forbidden}:${silent.port}/`,
      `https://${forbidden}:${silent.port}/`,
      `http://2130706434:${silent.port}/`,
      `http://0x7f000002:${silent.port}/`,
      `http://0177.0.0.2:${silent.port}/`,
      `http://127.2:${silent.port}/`,
      `http://[::ffff:${forbidden}]:${silent.port}/`,
      `http://[::ffff:7f00:2]:${silent.port}/`,
      `http://by-hosts.test:${silent.port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/latest/meta-data/',
    ]
    const steps = await runUnder(
      onlyAllowed,
      spec(
        urls.map(url => ({ type: 'http', name: url, url })),
        { http: { hosts: { 'by-hosts.test': forbidden } } },
      ),
    )
    expect(failuresOf(steps)).toEqual(allRefused(urls))
    expect(silent.connections).toEqual([])
  })

  test('a redirect from an allowed target', async () => {
    const silent = await witness(forbidden)
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const to = {
        '/plain': `http://${forbidden}:${silent.port}/`,
        '/decimal': `http://2130706434:${silent.port}/`,
        '/metadata': 'http://169.254.169.254/',
      }
      response.writeHead(302, { location: Object.entries(to).find(([path]) => path === request.url)?.[1] ?? '/' }).end()
    })
    server.listen(0, allowed)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const bound = server.address()
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0
    const paths = ['/plain', '/decimal', '/metadata']
    const steps = await runUnder(
      onlyAllowed,
      spec(paths.map(path => ({ type: 'http', name: path, url: `http://${allowed}:${port}${path}`, redirects: 5 }))),
    )
    expect(failuresOf(steps)).toMatchObject(allRefused(paths))
    expect(asked).toEqual(paths)
    expect(silent.connections).toEqual([])
  })

  test('a name that is pointed elsewhere after it was checked: there is no second lookup', async () => {
    const silent = await witness(forbidden)
    const target = await witness(allowed, silent.port)
    // The resolver answers the allowed address first and the forbidden one ever after, without caching of its own.
    const loaded = await script(
      `import dns from 'node:dns'
       import { syncBuiltinESMExports } from 'node:module'
       import { isMainThread } from 'node:worker_threads'
       let asked = 0
       if (!isMainThread) {
         dns.lookup = (name, options, found) => {
           const address = asked++ === 0 ? '${allowed}' : '${forbidden}'
           process.nextTick(() => options.all ? found(null, [{ address, family: 4 }]) : found(null, address, 4))
         }
         syncBuiltinESMExports()
       }
       const inject = [{ type: 'iterations', iterations: 1, users: 1 }]
       const url = 'http://rebind.test:${silent.port}/'
       const timeout = { headers: '200ms' }
       export default { scenarios: [{ name: 'one', inject, steps: [
         { type: 'http', name: 'first', url, timeout, onFailure: 'continue' },
         { type: 'http', name: 'second', url: 'http://again.test:${silent.port}/', timeout, onFailure: 'continue' },
       ] }] }`,
      [
        { type: 'http', name: 'first', url: 'http://rebind.test/' },
        { type: 'http', name: 'second', url: 'http://again.test/' },
      ],
    )
    const steps = await runUnder(targetRules([allowed, 'rebind.test'], true), loaded)
    expect(failuresOf(steps)).toEqual({ first: ['timeout_headers'], second: ['target_refused'] })
    expect(target.connections.map(String).join()).toContain('host: rebind.test')
    expect(silent.connections).toEqual([])
  })

  test('the proxy, and the name behind a proxy', async () => {
    const silent = await witness(forbidden)
    const proxied: string[] = []
    const proxy = createServer((request, response) => {
      proxied.push(request.url ?? '')
      response.end('{}')
    })
    proxy.on('connect', (request, socket) => {
      proxied.push(request.url ?? '')
      socket.end('HTTP/1.1 502 no\r\n\r\n')
    })
    proxy.listen(0, allowed)
    await once(proxy, 'listening')
    onTestFinished(() => void proxy.close())
    const bound = proxy.address()
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0
    const rules = targetRules([allowed, 'listed.test'], true)
    const through = (at: string) => ({ http: { proxy: at } })
    const urls = [
      'http://unlisted.test/',
      'https://unlisted.test/',
      'http://2130706434/',
      'http://169.254.169.254/',
      'http://metadata.google.internal/',
    ]
    const steps = await runUnder(
      rules,
      spec(
        urls.map(url => ({ type: 'http', name: url, url })),
        through(`http://${allowed}:${port}`),
      ),
    )
    expect(failuresOf(steps)).toEqual(allRefused(urls))
    expect(proxied).toEqual([])
    const listed = await runUnder(
      rules,
      spec([{ type: 'http', name: 'listed', url: 'http://listed.test/' }], through(`http://${allowed}:${port}`)),
    )
    expect(failuresOf(listed)).toEqual({ listed: [] })
    expect(proxied).toEqual(['http://listed.test/'])
    const elsewhere = await runUnder(
      rules,
      spec([{ type: 'http', name: 'x', url: 'http://listed.test/' }], through(`http://${forbidden}:${silent.port}`)),
    )
    expect(failuresOf(elsewhere)).toEqual(allRefused(['x']))
    expect(silent.connections).toEqual([])
  })

  test('sql, gRPC and JSON-RPC', async () => {
    const silent = await witness(forbidden)
    const connection = (client: string, text: string) => ({ client, connection: text })
    const sql = {
      plain: connection('pg', `postgres://u:p@${forbidden}:${silent.port}/db`),
      decimal: connection('pg', `postgres://u:p@2130706434:${silent.port}/db`),
      mapped: connection('mysql2', `mysql://u:p@[::ffff:${forbidden}]:${silent.port}/db`),
      socket: connection('mysql2', 'mysql://u:p@x/db?socketPath=/nowhere/mysql.sock'),
    }
    const rules = targetRules(['127.0.0.3'], true)
    const steps = await runUnder(
      rules,
      spec(
        [
          ...Object.keys(sql).map(on => ({ type: 'sql', name: on, on, query: 'select 1' })),
          { type: 'jsonrpc', name: 'rpc', url: `http://${forbidden}:${silent.port}/`, method: 'm' },
        ],
        { sql },
      ),
    )
    expect(failuresOf(steps)).toEqual(allRefused([...Object.keys(sql), 'rpc']))
    const proto = join(await temporaryFolder(), 'a.proto')
    await writeFile(proto, 'syntax = "proto3"; package p; message M {} service S { rpc Get(M) returns (M); }')
    const grpc = {
      a: { address: `${forbidden}:${silent.port}`, proto: 'a.proto' },
      b: { address: `2130706434:${silent.port}`, proto: 'a.proto' },
    }
    const described = spec(
      ['a', 'b'].map(on => ({ type: 'grpc', name: on, on, method: 'p.S/Get' })),
      { grpc },
    )
    const calls = await runUnder(rules, { ...described, files: { 'a.proto': proto } })
    expect(failuresOf(calls)).toEqual(allRefused(['a', 'b']))
    // Asking a server what it offers is a request too.
    const reflected = runUnder(
      rules,
      spec([{ type: 'grpc', name: 'g', method: 'p.S/Get' }], {
        grpc: { a: { address: `${forbidden}:${silent.port}` } },
      }),
    )
    await expect(reflected).rejects.toThrow(/refused by ONRUSH_TARGETS/)
    expect(silent.connections).toEqual([])
  })

  test('a SQLite file, where this machine is not named', async () => {
    const file = join(await temporaryFolder(), 'a.db')
    await writeFile(file, '')
    const loaded = spec([{ type: 'sql', name: 's', on: 'db', query: 'select 1' }], {
      sql: { db: { client: 'better-sqlite3', connection: file } },
    })
    await expect(runUnder(targetRules(['shop.test'], true), loaded)).rejects.toThrow(/refused by ONRUSH_TARGETS/)
    expect(failuresOf(await runUnder(targetRules(['localhost'], true), loaded))).toEqual({ s: [] })
  })

  test('code: at the top of a script, in its setup, in a step; by fetch, http, tls, net', async () => {
    const silent = await witness(forbidden)
    const target = await loggingServer()
    const loaded = await script(
      `import http from 'node:http'
       import net from 'node:net'
       import tls from 'node:tls'
       import { isMainThread } from 'node:worker_threads'
       const said = promise => promise.then(() => 'reached', error => String(error.cause ?? error))
       const opened = socket => new Promise((resolve, reject) => socket.once('error', reject).once('connect', resolve).once('response', resolve))
       const [host, port] = ['${forbidden}', ${silent.port}]
       const all = async () => {
         const results = [
           await said(fetch(\`http://\${host}:\${port}/\`)),
           await said(fetch(\`https://\${host}:\${port}/\`)),
           await said(opened(http.get({ host, port }))),
           await said(opened(net.connect(port, host))),
           await said(opened(net.connect({ port, host }))),
           await said(opened(new net.Socket().connect(port, host))),
           await said(opened(net.connect(String(port), '2130706434'))),
           await said(opened(tls.connect({ host, port }))),
           await said(opened(tls.connect(port, host))),
           await said(opened(net.connect('/nowhere.sock'))),
         ]
         if (results.some(each => !each.includes('refused by ONRUSH_TARGETS'))) throw new Error(JSON.stringify(results))
         return results.length
       }
       if (!isMainThread) await all()
       const inject = [{ type: 'iterations', iterations: 1, users: 1 }]
       export default { setup: all, scenarios: [{ name: 'one', inject, steps: [
         { type: 'code', name: 'refused', run: all },
         { type: 'code', name: 'allowed', run: async session => { const answer = await fetch('${target.url}'); if (!answer.ok) session.fail('no') } },
       ] }] }`,
    )
    const rules = targetRules(['127.0.0.1'], true)
    // A Unix socket is this machine, and so is not named by one address of it.
    const plan = localPlan(loaded, { runId: 'targets-20260101000000-abcdef', threads: 1 })
    expect(await runSetup(plan, { targets: rules })).toBe(10)
    // The second step runs only where the first one went well.
    await runUnder(rules, loaded)
    expect(target.seen).toHaveLength(1)
    expect(silent.connections).toEqual([])
  })

  test('code: UDP packets, however they are sent', async () => {
    const silent = await datagramWitness(forbidden)
    const target = await datagramWitness(allowed, silent.port)
    const loaded = await script(
      `import dgram from 'node:dgram'
       import { isMainThread } from 'node:worker_threads'
       const [host, port] = ['${forbidden}', ${silent.port}]
       const elsewhere = (name, options, found) => found(null, options.all ? [{ address: host, family: 4 }] : host, 4)
       const said = (send, options = 'udp4') => new Promise(resolve => {
         const socket = dgram.createSocket(options)
         const done = what => { socket.close(); resolve(what) }
         socket.once('error', error => done(String(error)))
         send(socket, error => done(error ? String(error) : 'sent'))
       })
       const all = async () => {
         const results = [
           await said((socket, done) => socket.send('x', port, host, done)),
           await said(socket => socket.send('x', port, host)),
           await said((socket, done) => socket.send(Buffer.from('xyz'), 1, 1, port, host, done)),
           await said((socket, done) => socket.send(['x', 'y'], String(port), host, done)),
           await said((socket, done) => socket.bind(0, () => socket.send('x', port, host, done))),
           await said((socket, done) => socket.connect(port, host, done)),
           await said(socket => socket.connect(port, host)),
           await said((socket, done) => socket.send('x', port, 'shop.test', done), { type: 'udp4', lookup: elsewhere }),
           await said((socket, done) => socket.connect(port, 'shop.test', done), { type: 'udp4', lookup: elsewhere }),
           await said((socket, done) => socket.send('x', port, '::ffff:${forbidden}', done), 'udp6'),
           await said((socket, done) => socket.send('x', 53, '169.254.169.254', done)),
         ]
         if (results.some(each => !each.includes('refused by ONRUSH_TARGETS'))) throw new Error(JSON.stringify(results))
         return results.length
       }
       const sent = async () => {
         const results = [
           await said((socket, done) => socket.send('by address', port, '${allowed}', done)),
           await said((socket, done) => socket.send('by default', port, done)),
           await said((socket, done) => socket.send(Buffer.from('-in part-'), 1, 7, port, '${allowed}', done)),
           // It says one address and means another: the one that it says is the one that was judged.
           await said((socket, done) => socket.send('as written', port, '${allowed}', done), { type: 'udp4', lookup: elsewhere }),
           await said((socket, done) => socket.connect(port, '${allowed}', () => socket.send('connected', done))),
         ]
         if (results.some(each => each !== 'sent')) throw new Error(JSON.stringify(results))
       }
       if (!isMainThread) await all()
       const inject = [{ type: 'iterations', iterations: 1, users: 1 }]
       export default { setup: all, scenarios: [{ name: 'one', inject, steps: [
         { type: 'code', name: 'refused', run: all },
         { type: 'code', name: 'allowed', run: sent },
       ] }] }`,
    )
    const rules = targetRules([allowed, 'shop.test:1'], true)
    const plan = localPlan(loaded, { runId: 'targets-20260101000000-abcdef', threads: 1 })
    expect(await runSetup(plan, { targets: rules })).toBe(11)
    await runUnder(rules, loaded)
    await expect.poll(() => target.packets).toEqual(['by address', 'by default', 'in part', 'as written', 'connected'])
    expect(silent.packets).toEqual([])
  })
})

test('the witness would see a packet, and without rules the same steps reach it', async () => {
  const silent = await witness(forbidden)
  const deaf = await datagramWitness(forbidden)
  const socket = createSocket('udp4')
  socket.send('x', deaf.port, forbidden, () => socket.close())
  await expect.poll(() => deaf.packets).toEqual(['x'])
  connect(silent.port, forbidden).end('x')
  await expect.poll(() => silent.connections.map(String)).toEqual(['x'])
  const url = `http://${forbidden}:${silent.port}/`
  const loaded = spec([{ type: 'http', name: 'free', url, timeout: { headers: '100ms' } }])
  expect(failuresOf(await runUnder({ kind: 'open' }, loaded))).toEqual({ free: ['timeout_headers'] })
  expect(silent.connections).toHaveLength(2)
})

test('where no list is set and others can reach the service, nothing begins, and the error says what to set', async () => {
  const silent = await witness(allowed)
  const loaded = spec([{ type: 'http', name: 'x', url: `http://${allowed}:${silent.port}/` }])
  const refused = runUnder(targetRules([], true), loaded)
  await expect(refused).rejects.toThrow(OnrushError)
  await expect(refused).rejects.toMatchObject({
    code: 'target_refused',
    message: expect.stringContaining('Set ONRUSH_TARGETS'),
  })
  expect(silent.connections).toEqual([])
})

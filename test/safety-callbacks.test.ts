import { once } from 'node:events'
import { createServer } from 'node:http'
import { Problem } from '@onrush/protocol/problem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ask, ended, start } from './support/fleet.ts'
import { type Nodes, startNodes } from './support/nodes.ts'
import { witness } from './support/witness.ts'

const allowed = '127.0.0.1'
const forbidden = '127.0.0.2'

let nodes: Nodes
beforeAll(async () => {
  // An address admits every name that has it, so that only its ports keep a name out for sure.
  nodes = await startNodes({ ONRUSH_TARGETS: `${allowed}:1024-65535,hooks.test` })
})
afterAll(() => nodes?.stop())

const single = (callback: string) => ({ url: `${nodes.target.url}/json`, iterations: 1, callback })
const spec = { scenarios: [{ name: 'one', steps: [{ type: 'pause', for: '1ms' }] }] }

/** Every way to ask for a run that takes a callback, and where its fault is told. */
const ways: readonly (readonly [what: string, place: string, send: (callback: string) => Promise<unknown>])[] = [
  [
    'POST /api/single',
    '$.callback',
    async callback => (await ask(nodes.reporter, 'POST', '/api/single', single(callback))).body,
  ],
  [
    'POST /api/simulation',
    '$.callback',
    async callback =>
      (await ask(nodes.reporter, 'POST', '/api/simulation', { simulation: { ...spec, inject: once1 }, callback })).body,
  ],
  [
    'GET /api/single',
    '?callback',
    async callback => {
      const query = new URLSearchParams({ url: `${nodes.target.url}/json`, iterations: '1', callback })
      return (await ask(nodes.reporter, 'GET', `/api/single?${query}`)).body
    },
  ],
  [
    'POST /api/schedules with a single',
    '$.single.callback',
    async callback =>
      (await ask(nodes.reporter, 'POST', '/api/schedules', { ...hourly, single: single(callback) })).body,
  ],
  [
    'POST /api/schedules with a simulation',
    '$.simulation.callback',
    async callback =>
      (
        await ask(nodes.reporter, 'POST', '/api/schedules', {
          ...hourly,
          simulation: { simulation: 'checkout', callback },
        })
      ).body,
  ],
]
const once1 = [{ type: 'iterations', iterations: 1, users: 1 }]
const hourly = { id: 'hourly', everyMs: 3_600_000 }

describe.each(ways)('%s', (_, place, send) => {
  test('refuses a callback that could never be sent, and begins nothing', async () => {
    const silent = await witness(forbidden)
    const callbacks = [
      `http://${forbidden}:${silent.port}/hook?key=a-password`,
      `http://2130706434:${silent.port}/`,
      `http://[::ffff:${forbidden}]:${silent.port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://metadata.google.internal/',
      'https://elsewhere.example.com/',
    ]
    for (const callback of callbacks) {
      const problem = Problem.parse(await send(callback))
      expect([problem.code, problem.errors?.map(({ path }) => path)]).toEqual(['invalid', [place]])
      expect(problem.detail).toContain('refused by ONRUSH_TARGETS')
      // A webhook's address is its password.
      expect(JSON.stringify(problem)).not.toContain('a-password')
    }
    expect((await ask(nodes.reporter, 'GET', '/api/jobs')).body).toEqual([])
    expect((await ask(nodes.reporter, 'GET', '/api/schedules')).body).toEqual([])
    expect(silent.connections).toEqual([])
  })
})

test('it is told with everything else that is wrong', async () => {
  const { body } = await ask(nodes.reporter, 'POST', '/api/single', {
    ...single('http://169.254.169.254/'),
    onWorkerLoss: 'redistribute',
  })
  expect(Problem.parse(body).errors?.map(({ path }) => path)).toEqual(['$.callback', '$.onWorkerLoss'])
})

test('a worker that runs alone takes none at all', async () => {
  const { body } = await ask(nodes.worker, 'POST', '/api/engine/single', single(`http://${allowed}:9/`))
  expect(Problem.parse(body).errors?.map(({ path }) => path)).toEqual(['$.callback'])
})

test('one that the list admits is called when the run is over', async () => {
  const called: string[] = []
  const server = createServer((request, response) => {
    called.push(request.headers['x-onrush-run']?.toString() ?? '')
    request.resume()
    response.end()
  })
  server.listen(0, allowed)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const { runId } = await start(nodes.reporter, '/api/single', single(`http://${allowed}:${port}/hook`))
  await ended(nodes.reporter, runId)
  await expect.poll(() => called, { timeout: 60_000 }).toEqual([runId])
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkSession } from '@onrush/engine/check-session'
import { type Loaded, localPlan } from '@onrush/engine/run'
import type { TraceEvent } from '@onrush/engine/trace'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { errorsOf, inline, run, start, statusesOf, stepOf } from './support/engine-run.ts'

let target: DemoTarget
beforeAll(async () => {
  target = await startDemoTarget()
})
afterAll(() => target.stop())
beforeEach(async () => {
  await target.resetStats()
})

const call = (name: string, method: string, params?: unknown, more: object = {}) => ({
  type: 'jsonrpc',
  name,
  method,
  params,
  ...more,
})

function calling(steps: readonly object[], more: object = {}): Loaded {
  return inline({
    jsonrpc: { url: `${target.url}/rpc` },
    inject: [{ type: 'iterations', iterations: 1, users: 1 }],
    onFailure: 'continue',
    scenarios: [{ name: 'a', steps }],
    ...more,
  })
}

async function traced(loaded: Loaded): Promise<TraceEvent[]> {
  const events: TraceEvent[] = []
  await checkSession(localPlan(loaded, { runId: 'check', threads: 1, seed: 1 }), event => events.push(event))
  return events
}

const shown = (events: readonly TraceEvent[], type: 'request' | 'response') =>
  events.flatMap(event => (event.type === type ? [JSON.parse(event.body ?? 'null')] : []))

test('calls are what the server counts', async () => {
  const steps = [
    call('add', 'add', [1, '{{$._g.user}}'], { assert: { '$.status': 0, '$.entity': { $gte: 2 } } }),
    call('named', 'add', { a: 1, b: 2 }, { assert: { '$.entity': 3 } }),
    call('fail', 'fail', { code: -32050, message: 'no stock' }),
    call('allowed', 'fail', { code: 7 }, { assert: { '$.status': 7, '$.entity.message': 'failed, as asked' } }),
    call('none', 'nothing'),
    call('told', 'echo', ['x'], { notification: true, assert: { '$.entity': null } }),
    {
      type: 'jsonrpc',
      name: 'batch',
      batch: [
        { method: 'add', params: [2, 3] },
        { method: 'echo', notification: true },
        { method: 'echo', params: ['{{$._g.user}}'] },
      ],
      assert: { '$.entity[0]': 5, '$.entity[1]': null, '$.entity[2][0]': '{{$._g.user}}' },
    },
  ]
  const inject = [{ type: 'iterations', iterations: 100, users: 10 }]
  const { summary } = await run(calling(steps, { inject }))
  const counted = (step: string) => [
    stepOf(summary, step).ok,
    stepOf(summary, step).ko,
    errorsOf(stepOf(summary, step)),
  ]
  expect(counted('add')).toEqual([100, 0, {}])
  expect(counted('named')).toEqual([100, 0, {}])
  expect(counted('fail')).toEqual([0, 100, { 'rpc:-32050': 100 }])
  expect(counted('allowed')).toEqual([100, 0, {}])
  expect(counted('none')).toEqual([0, 100, { 'rpc:-32601': 100 }])
  expect(counted('told')).toEqual([100, 0, {}])
  expect(counted('batch')).toEqual([100, 0, {}])
  // Statuses are those of HTTP, which carries it.
  expect(statusesOf(stepOf(summary, 'fail'))).toEqual({ 200: 100 })
  expect(statusesOf(stepOf(summary, 'told'))).toEqual({ 204: 100 })
  const stats = await target.stats()
  expect(stats.responses).toEqual({ 'POST /rpc 200': 600, 'POST /rpc 204': 100 })
  expect(Object.fromEntries(Object.entries(stats.rpc).map(([method, { codes }]) => [method, codes]))).toEqual({
    add: { 0: 300 },
    fail: { '-32050': 100, 7: 100 },
    '(other)': { '-32601': 100 },
    echo: { 0: 300 },
  })
})

test('ids count in each session; a batch is shown in the order of its calls', async () => {
  const batch = [
    { method: 'add', params: [1, 1] },
    { method: 'echo', notification: true },
    { method: 'add', params: ['x'] },
  ]
  const events = await traced(
    calling(
      [call('one', 'echo', { a: '{{$._j.price}}' }), { type: 'jsonrpc', name: 'many', batch }, call('last', 'echo')],
      {
        variables: { price: 1.5 },
      },
    ),
  )
  expect(shown(events, 'request')).toEqual([
    { jsonrpc: '2.0', method: 'echo', params: { a: 1.5 }, id: 1 },
    [
      { jsonrpc: '2.0', method: 'add', params: [1, 1], id: 2 },
      { jsonrpc: '2.0', method: 'echo' },
      { jsonrpc: '2.0', method: 'add', params: ['x'], id: 3 },
    ],
    { jsonrpc: '2.0', method: 'echo', id: 4 },
  ])
  expect(shown(events, 'response')).toEqual([
    { a: 1.5 },
    [2, null, { code: -32602, message: 'add: expected numbers, got ["x"]' }],
    null,
  ])
  expect(events.filter(event => event.type === 'failure')).toMatchObject([{ step: 'many', kind: 'rpc:-32602' }])
})

describe('what is no answer', () => {
  test.each([
    [200, 'application/json', '{"jsonrpc":"2.0","id":99,"result":1}', 'malformed_response'],
    [200, 'text/html', '<html>', 'malformed_response'],
    [502, 'text/html', '<html>', 'status'],
    [500, 'application/json', '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m"}}', 'rpc:-32603'],
  ])('%i %s %s', async (status, type, body, kind) => {
    const server = createServer((_, response) => response.writeHead(status, { 'content-type': type }).end(body))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { summary } = await run(calling([call('odd', 'add', [1], { url: `http://127.0.0.1:${port}/` })]))
    server.close()
    expect(errorsOf(stepOf(summary, 'odd'))).toEqual({ [kind]: 1 })
  })

  test('a server that is not there, and one that takes too long', async () => {
    const { summary } = await run(
      calling([
        call('gone', 'add', [1], { url: 'http://127.0.0.1:1/' }),
        call('slow', 'slow', { ms: 60_000 }, { timeout: '100ms' }),
      ]),
    )
    expect(errorsOf(stepOf(summary, 'gone'))).toEqual({ refused: 1 })
    expect(errorsOf(stepOf(summary, 'slow'))).toEqual({ timeout_total: 1 })
  })
})

test('faults are found before the start', async () => {
  const running = start(calling([call('add', 'add', ['{{$._env.nothing}}'])]))
  await expect(running.result).rejects.toMatchObject({
    errors: [{ path: '$.scenarios[0].steps[0].params', message: expect.stringContaining('$._env.nothing') }],
  })
})

import { resolve } from 'node:path'
import { checkSession } from '@onrush/engine/check-session'
import { type Loaded, localPlan } from '@onrush/engine/run'
import type { TraceEvent } from '@onrush/engine/trace'
import { summarise } from '@onrush/metrics/summary'
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

/** Threads start when the machine has time for them. */
const iterations = (iterations: number, users: number) => [{ type: 'iterations', iterations, users }]
const call = (name: string, method: string, more: object = {}) => ({ type: 'grpc', name, method, ...more })

/** Steps on the target's service, which describes itself. */
function calling(steps: readonly object[], connection: object = {}, more: object = {}): Loaded {
  return inline({
    grpc: { catalog: { address: target.grpc, ...connection } },
    inject: iterations(1, 1),
    onFailure: 'continue',
    scenarios: [{ name: 'a', steps }],
    ...more,
  })
}

/** What one session of it comes to, as `onrush check` tells it. */
async function traced(loaded: Loaded): Promise<TraceEvent[]> {
  const events: TraceEvent[] = []
  await checkSession(localPlan(loaded, { runId: 'check', threads: 1, seed: 1 }), event => events.push(event))
  return events
}

function responseIn(events: readonly TraceEvent[], step: string) {
  const found = events.find(event => event.type === 'response' && event.step === step)
  if (found?.type !== 'response') throw new Error(`no response to ${step} in ${JSON.stringify(events)}`)
  return { ...found, body: JSON.parse(found.body ?? 'null') }
}

const failuresIn = (events: readonly TraceEvent[]) =>
  events.flatMap(event => (event.type === 'failure' ? [[event.step, event.kind]] : []))

const faultsOf = (loaded: Loaded) =>
  start(loaded).result.then(
    () => [],
    error => error.errors,
  )

const codesAt = async () =>
  Object.fromEntries(Object.entries((await target.stats()).grpc).map(([method, { codes }]) => [method, codes]))

test('calls are what the server counts, by method and code', async () => {
  const steps = [
    call('item', 'shop.Catalog/GetItem', { message: { id: '{{randomInt(1, 1000)}}' }, assert: { '$.status': 0 } }),
    call('none', 'shop.Catalog/GetItem', { message: { id: 1001 } }),
    call('list', 'shop.Catalog/ListItems', { message: { page: 2 }, assert: { '$.entity': { $size: 20 } } }),
    call('add', '/shop.Catalog/AddItems', {
      messages: [
        { id: 1, price: 1.5 },
        { id: 2, price: 2 },
      ],
    }),
    call('chat', 'shop.Chat/Echo', { messages: [{ text: 'a' }, { text: 'b' }] }),
    call('fail', 'shop.Catalog/Fail', { message: { code: 8 }, assert: { '$.status': 8 } }),
  ]
  const { summary } = await run(calling(steps, {}, { inject: iterations(200, 20) }))
  const counted = (step: string) => [
    stepOf(summary, step).ok,
    stepOf(summary, step).ko,
    errorsOf(stepOf(summary, step)),
  ]
  expect(counted('item')).toEqual([200, 0, {}])
  expect(counted('none')).toEqual([0, 200, { 'grpc:NOT_FOUND': 200 }])
  expect(counted('list')).toEqual([200, 0, {}])
  expect(counted('add')).toEqual([200, 0, {}])
  expect(counted('chat')).toEqual([200, 0, {}])
  expect(counted('fail')).toEqual([200, 0, {}])
  expect(statusesOf(stepOf(summary, 'none'))).toEqual({ 5: 200 })
  expect(stepOf(summary, 'list').firstByte?.count).toBe(200)
  expect(await codesAt()).toEqual({
    'shop.Catalog/GetItem': { 0: 200, 5: 200 },
    'shop.Catalog/ListItems': { 0: 200 },
    'shop.Catalog/AddItems': { 0: 200 },
    'shop.Chat/Echo': { 0: 200 },
    'shop.Catalog/Fail': { 8: 200 },
  })
  expect(summary.samples.some(({ step, message }) => step === 'none' && message.includes('expected 1 to 1000'))).toBe(
    true,
  )
})

describe('what a call answers', () => {
  test('a map: enums by name, bytes in base64, numbers beyond a double as text, metadata as headers and trailers', async () => {
    const events = await traced(
      calling(
        [call('item', 'shop.Catalog/GetItem', { message: { id: 7 }, metadata: { 'X-Echo': '{{$._j.who}}' } })],
        {},
        { variables: { who: 'ada' } },
      ),
    )
    expect(events.find(event => event.type === 'request')).toEqual({
      type: 'request',
      step: 'item',
      method: 'shop.Catalog/GetItem',
      url: `grpc://${target.grpc}/shop.Catalog/GetItem`,
      headers: { 'x-echo': 'ada' },
      body: '{"id":7}',
    })
    const response = responseIn(events, 'item')
    expect(response.body).toEqual({
      id: 7,
      name: 'rug 7',
      price: 3.59,
      stock: 49,
      kind: 'RUG',
      barcode: '9007199254741007',
      picture: '/wAH',
    })
    expect(response).toMatchObject({ status: 0, headers: { Status: '0 OK', 'x-echo': 'ada' } })
    expect(response.trailers).toMatchObject({ 'x-echo-trailer': 'ada' })
  })

  test('a failure: its code and message, and the trailers it came with', async () => {
    const steps = [call('fail', 'shop.Catalog/Fail', { message: { code: 9, message: 'closed' } })]
    const events = await traced(calling(steps))
    expect(responseIn(events, 'fail')).toMatchObject({
      status: 9,
      headers: { Status: '9 FAILED_PRECONDITION' },
      body: { code: 'FAILED_PRECONDITION', message: 'closed' },
      trailers: { 'x-reason': 'asked-for', 'grpc-status': '9', 'grpc-message': 'closed' },
    })
    expect(failuresIn(events)).toEqual([['fail', 'grpc:FAILED_PRECONDITION']])
  })

  test('lists of streams, as long as they may be', async () => {
    const events = await traced(
      calling([
        call('all', 'shop.Catalog/ListItems'),
        call('some', 'shop.Catalog/ListItems', { message: { page: '2' }, maxMessages: 3 }),
        call('sum', 'shop.Catalog/AddItems', {
          messages: [
            { id: 3, price: 0.1 },
            { id: 4, price: 0.2 },
          ],
        }),
        call('empty', 'shop.Catalog/AddItems'),
        call('one', 'shop.Catalog/AddItems', { message: { id: 9 } }),
        call('echo', 'shop.Chat/Echo', { messages: [{ text: 'a', number: 1 }, { text: '{{$._g.user}}' }] }),
      ]),
    )
    expect(responseIn(events, 'all').body).toHaveLength(20)
    expect(responseIn(events, 'some').body.map(({ id }: { id: number }) => id)).toEqual([21, 22, 23])
    expect(responseIn(events, 'sum').body).toEqual({ count: 2, total: 0.3, ids: [3, 4] })
    expect(responseIn(events, 'empty').body).toEqual({ count: 0, total: 0, ids: [] })
    expect(responseIn(events, 'one').body).toEqual({ count: 1, total: 0, ids: [9] })
    expect(responseIn(events, 'echo').body).toEqual([
      { text: 'a', number: 1 },
      { text: '1', number: 0 },
    ])
    expect(failuresIn(events)).toEqual([])
  })

  test('a long stream is sent and read while it lasts', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => ({ text: 'x'.repeat(200), number: i }))
    const step = call('echo', 'shop.Chat/Echo', {
      messages: lines,
      maxMessages: 10_000,
      assert: { '$.entity': { $size: 5000 }, '$.entity[4999].number': 4999 },
    })
    const { summary } = await run(calling([step]))
    expect(stepOf(summary, 'echo')).toMatchObject({ ok: 1, ko: 0 })
  })
})

describe('deadlines', () => {
  test('a call that takes longer has timed out, on both sides', async () => {
    const steps = [
      call('slow', 'shop.Catalog/Slow', { message: { ms: 60_000 }, deadline: '1s' }),
      call('allowed', 'shop.Catalog/Slow', { message: { ms: 60_000 }, deadline: '500ms', assert: { '$.status': 4 } }),
      call('in time', 'shop.Catalog/Slow', { message: { ms: 5 }, deadline: '30s' }),
    ]
    const { summary } = await run(calling(steps, {}, { inject: iterations(10, 10) }))
    expect(errorsOf(stepOf(summary, 'slow'))).toEqual({ timeout_total: 10 })
    expect(stepOf(summary, 'allowed')).toMatchObject({ ok: 10, ko: 0 })
    expect(stepOf(summary, 'in time')).toMatchObject({ ok: 10, ko: 0 })
    await expect
      .poll(async () => (await target.stats()).grpc['shop.Catalog/Slow'])
      .toEqual({ seen: 30, completed: 10, aborted: 20, inFlight: 0, codes: { 0: 10 } })
  })

  test('of the connection hold for all its calls; a stream keeps what came until then', async () => {
    const list = call('list', 'shop.Catalog/ListItems', {
      message: { ms: 200 },
      assert: { '$.status': 4, '$.entity[0].id': 1 },
    })
    const { summary } = await run(calling([list], { deadline: '2s' }))
    expect(errorsOf(stepOf(summary, 'list'))).toEqual({})
  })
})

describe('connections', () => {
  const item = call('item', 'shop.Catalog/GetItem', { message: { id: 1 } })

  test('nobody there: refused, nothing sent, and the run goes on', async () => {
    const proto = resolve(import.meta.dirname, '../services/demo-target/src/grpc/shop.proto')
    const there = await startDemoTarget()
    await there.stop()
    const loaded = calling([item], { address: there.grpc, proto }, { inject: iterations(50, 5) })
    const { summary } = await run({ ...loaded, files: { [proto]: proto } })
    expect(errorsOf(stepOf(summary, 'item'))).toEqual({ refused: 50 })
    expect(stepOf(summary, 'item').service).toBeUndefined()
  })

  test('a name that nobody knows', async () => {
    const proto = resolve(import.meta.dirname, '../services/demo-target/src/grpc/shop.proto')
    const { summary } = await run({
      ...calling([item], { address: 'nobody.invalid:1', proto }),
      files: { [proto]: proto },
    })
    expect(errorsOf(stepOf(summary, 'item'))).toEqual({ dns: 1 })
  })

  test('one per thread, or one per session, and only the first call of each pays for it', async () => {
    const twice = { type: 'repeat', times: 2, steps: [item] }
    const shared = await run(calling([twice], {}, { inject: iterations(10, 5) }), { threads: 1 })
    // Reflection has opened the thread's channel before the start.
    expect(stepOf(shared.summary, 'item').connect).toBeUndefined()
    const own = await run(calling([twice], { channel: 'per-session' }, { inject: iterations(10, 5) }), { threads: 1 })
    expect(stepOf(own.summary, 'item')).toMatchObject({ ok: 20, ko: 0 })
    expect(stepOf(own.summary, 'item').connect?.count).toBe(10)
  })

  test('a server that dies answers nothing', async () => {
    const dying = await startDemoTarget()
    const slow = call('slow', 'shop.Catalog/Slow', { message: { ms: 60_000 } })
    const running = start(calling([slow], { address: dying.grpc }, { inject: iterations(4, 4) }))
    await expect.poll(async () => (await dying.stats()).grpc['shop.Catalog/Slow']?.inFlight).toBe(4)
    await dying.kill()
    const { totals } = await running.result
    expect(errorsOf(stepOf(summarise(totals), 'slow'))).toEqual({ reset: 4 })
  })

  test('calls under way end with the run', async () => {
    const slow = call('slow', 'shop.Catalog/Slow', { message: { ms: 60_000 } })
    const running = start(calling([slow], {}, { inject: iterations(4, 4) }), { limits: { graceMs: 0 } })
    await expect.poll(async () => (await target.stats()).grpc['shop.Catalog/Slow']?.inFlight).toBe(4)
    running.stop('enough')
    await running.result
    await expect.poll(async () => (await target.stats()).grpc['shop.Catalog/Slow']?.aborted).toBe(4)
  })
})

describe('faults are found before the start', () => {
  test.each([
    [{ method: 'shop.Catalog/GetItm' }, '.method', 'did you mean "GetItem"?'],
    [{ method: 'shop.Catalogue/GetItem' }, '.method', 'did you mean "shop.Catalog"?'],
    [{ message: { ident: 7 } }, '.message.ident', 'ItemRequest has no field "ident"'],
    [{ message: { id: 'seven' } }, '.message.id', 'expected an int32'],
    [{ message: { id: '{{$._g.user}}', x: 1 } }, '.message.x', 'has no field "x"'],
    [{ messages: [{ id: 7 }] }, '.messages', 'takes one message'],
    [{ metadata: { 'a b': 'c' } }, '.metadata', 'cannot be sent'],
  ])('%j', async (more, place, message) => {
    const errors = await faultsOf(calling([call('item', 'shop.Catalog/GetItem', more)]))
    expect(errors).toEqual([{ path: `$.scenarios[0].steps[0]${place}`, message: expect.stringContaining(message) }])
  })

  test.each([
    [{ address: 'nowhere', proto: 'missing.proto' }, '$.grpc.catalog.proto', 'there is no file "missing.proto"'],
    [{ address: 'http://x:1' }, '$.grpc.catalog.address', 'expected "host:port"'],
    [{ address: '{{$._s.host}}' }, '$.grpc.catalog.address', 'known before the run'],
    [{ tls: { ca: 'no.pem' } }, '$.grpc.catalog.tls.ca', 'cannot read "no.pem"'],
    [{ address: '127.0.0.1:1' }, '$.grpc.catalog.address', 'ECONNREFUSED'],
  ])('%j', async (connection, path, message) => {
    const errors = await faultsOf(calling([call('item', 'shop.Catalog/GetItem')], connection))
    expect(errors).toContainEqual({ path, message: expect.stringContaining(message) })
  })

  test('what is rendered wrong is not sent', async () => {
    const step = call('item', 'shop.Catalog/GetItem', { message: { id: '{{$._j.id}}' } })
    const { summary } = await run(calling([step], {}, { variables: { id: 'seven' } }))
    expect(errorsOf(stepOf(summary, 'item'))).toEqual({ render: 1 })
    expect(summary.samples[0]?.message).toContain('expected an int32, a whole number')
    expect((await target.stats()).grpc).toEqual({})
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Snapshot } from '../stats/stats.ts'
import { type ShopClient, startShop } from '../testing/shop-client.ts'

let shop: ShopClient
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.reset()
})

const call = (id: unknown, method: unknown, params?: unknown) => ({ jsonrpc: '2.0', id, method, params })
const notify = (method: string, params?: unknown) => ({ jsonrpc: '2.0', method, params })
const post = async (value: unknown) => {
  const response = await shop.postJson('/rpc', value)
  const text = await response.text()
  return [response.status, text === '' ? undefined : JSON.parse(text)]
}
const counts = async () => {
  const { rpc } = (await (await shop.send('/stats')).json()) as Snapshot
  return Object.fromEntries(Object.entries(rpc).map(([method, { codes }]) => [method, codes]))
}

describe('POST /rpc', () => {
  it.each([
    [call(1, 'add', [1, 2, 3]), { jsonrpc: '2.0', id: 1, result: 6 }],
    [call('a', 'add', { a: 1, b: 2 }), { jsonrpc: '2.0', id: 'a', result: 3 }],
    [call(null, 'echo', { x: [1] }), { jsonrpc: '2.0', id: null, result: { x: [1] } }],
    [call(2, 'slow', { ms: 1 }), { jsonrpc: '2.0', id: 2, result: { ms: 1 } }],
    [call(3, 'fail'), { jsonrpc: '2.0', id: 3, error: { code: -32000, message: 'failed, as asked' } }],
    [
      call(4, 'fail', { code: 7, message: 'm', data: [1] }),
      { jsonrpc: '2.0', id: 4, error: { code: 7, message: 'm', data: [1] } },
    ],
    [call(5, 'add', ['x']), { jsonrpc: '2.0', id: 5, error: { code: -32602 } }],
    [call(6, 'nothing'), { jsonrpc: '2.0', id: 6, error: { code: -32601 } }],
    [call({}, 'add'), { jsonrpc: '2.0', id: null, error: { code: -32600 } }],
    [
      { id: 7, method: 'add' },
      { jsonrpc: '2.0', id: 7, error: { code: -32600 } },
    ],
    [[], { jsonrpc: '2.0', id: null, error: { code: -32600 } }],
    ['no json', { jsonrpc: '2.0', id: null, error: { code: -32700 } }],
  ])('%j', async (request, answer) => {
    expect(await post(request)).toMatchObject([200, answer])
  })

  it('answers a batch backwards and notifications not at all, and counts every call', async () => {
    const batch = [call(1, 'add', [1]), notify('echo'), notify('fail'), call(2, 'fail', { code: 9 }), call(3, 'none')]
    const [status, answers] = await post(batch)
    expect([status, answers.map(({ id }: { id: number }) => id)]).toEqual([200, [3, 2, 1]])
    expect(await post(notify('echo'))).toEqual([204, undefined])
    expect(await post([notify('echo'), notify('echo')])).toEqual([204, undefined])
    expect(await counts()).toEqual({
      add: { 0: 1 },
      echo: { 0: 4 },
      fail: { 9: 1, '-32000': 1 },
      '(other)': { '-32601': 1 },
    })
  })
})

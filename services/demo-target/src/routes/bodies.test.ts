import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ShopClient, startShop } from '../testing/shop-client.ts'

let shop: ShopClient
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.reset()
})

describe('bodies', () => {
  it.each([0, 1, 63, 65_536, 65_537, 3_000_000])('GET /bytes?n=%i', async n => {
    const response = await shop.send(`/bytes?n=${n}`)
    expect(response.headers.get('content-length')).toBe(String(n))
    const body = Buffer.from(await response.arrayBuffer())
    expect(body.equals(Buffer.alloc(n, `${'onrush '.repeat(9)}\n`))).toBe(true)
  })

  it('GET /bytes sends ten gigabytes no faster than they are read', async () => {
    const { hostname, port } = new URL(shop.url)
    const socket = connect(Number(port), hostname)
    socket.write('GET /bytes?n=10737418240 HTTP/1.1\r\nhost: a\r\n\r\n')
    const head = await new Promise<string>(resolve => socket.once('data', chunk => resolve(chunk.toString('latin1'))))
    socket.pause()
    expect(head).toContain('content-length: 10737418240')
    let before = -1
    // Until nothing more is taken: what has left by then lies in the kernel's buffers, not in ours.
    await expect
      .poll(
        async () => {
          const { sent } = (await shop.bodyOf(shop.send('/stats'))).bytes
          const still = sent === before
          before = sent
          return still
        },
        { interval: 200 },
      )
      .toBe(true)
    socket.destroy()
    expect(before).toBeLessThan(64 * 2 ** 20)
  })

  it('GET /chunked', async () => {
    const response = await shop.send('/chunked?n=3&ms=1')
    expect(response.headers.get('transfer-encoding')).toBe('chunked')
    expect(await response.text()).toBe('chunk 1\nchunk 2\nchunk 3\n')
  })

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s /echo', async method => {
    const body = method === 'GET' ? undefined : '{"a":1}'
    const headers = { 'content-type': 'application/json', 'x-thing': 'one' }
    expect(await shop.statusAndBody(shop.send('/echo?q=1', { method, body, headers }))).toMatchObject({
      status: 200,
      body: { method, url: '/echo?q=1', headers: { 'x-thing': 'one' }, body: body === undefined ? '' : { a: 1 } },
    })
  })

  it('POST /echo gives back as text what is not JSON', async () => {
    expect((await shop.statusAndBody(shop.postJson('/echo', '{"a":'))).body.body).toBe('{"a":')
    expect((await shop.statusAndBody(shop.send('/echo', { method: 'POST', body: 'žluť' }))).body.body).toBe('žluť')
  })

  it('POST /echo refuses what is too large, after reading it', async () => {
    const size = 16 * 2 ** 20
    expect(
      await shop.statusAndBody(shop.send('/echo', { method: 'POST', body: Buffer.alloc(size + 1) })),
    ).toMatchObject({
      status: 413,
      body: { detail: `body: expected at most ${size} bytes, got ${size + 1}` },
    })
  })
})

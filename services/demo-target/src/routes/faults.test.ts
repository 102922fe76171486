import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RawClient } from '../testing/raw-client.ts'
import { type ShopClient, startShop } from '../testing/shop-client.ts'

let shop: ShopClient
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.reset()
})

describe('faults', () => {
  it('GET /slow', async () => {
    expect(await shop.statusAndBody(shop.send('/slow?ms=5'))).toEqual({ status: 200, body: { ms: 5 } })
  })

  it.each([200, 201, 204, 205, 302, 304, 400, 418, 500, 503, 599])('GET /status/%i', async code => {
    expect((await shop.send(`/status/${code}`)).status).toBe(code)
  })

  it.each(['199', '600', 'x', '100'])('refuses /status/%s', async code => {
    expect((await shop.send(`/status/${code}`)).status).toBe(400)
  })

  it('GET /flaky fails in the same places after a reset', async () => {
    const statuses = async () => {
      await shop.reset()
      const list: number[] = []
      for (let i = 0; i < 40; i++) list.push((await shop.send('/flaky?rate=0.5&seed=3')).status)
      return list
    }
    const first = await statuses()
    expect(new Set(first)).toEqual(new Set([200, 500]))
    expect(await statuses()).toEqual(first)
    expect((await shop.send('/flaky?rate=0')).status).toBe(200)
    expect((await shop.send('/flaky?rate=1')).status).toBe(500)
    expect((await shop.send('/flaky?rate=2')).status).toBe(400)
  })

  it('GET /reset breaks off in the middle', async () => {
    const response = await shop.send('/reset')
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  it('GET /malformed is no HTTP', async () => {
    const client = await RawClient.to(shop.url)
    await client.send('GET /malformed HTTP/1.1\r\nhost: a\r\n\r\n')
    expect(await client.rest()).toMatch(/^HTTP\/1\.1 two hundred\r\n/)
    await expect(shop.send('/malformed')).rejects.toThrow()
  })

  it('answers a path it does not know with 404 and a method with 405', async () => {
    expect(await shop.statusAndBody(shop.send('/nothing'))).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const response = await shop.send('/login')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

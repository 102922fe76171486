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

describe('what a browser acts on', () => {
  it('GET /redirect', async () => {
    const response = await shop.send('/redirect?n=2')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/redirect?n=1'])
    expect(await shop.statusAndBody(shop.send('/redirect?n=5', { redirect: 'follow' }))).toMatchObject({
      status: 200,
      body: { redirected: true, method: 'GET' },
    })
  })

  it.each([
    [303, 'GET'],
    [307, 'POST'],
  ])('POST /redirect?status=%i ends as %s', async (status, method) => {
    const response = shop.send(`/redirect?n=2&status=${status}`, { method: 'POST', body: 'x', redirect: 'follow' })
    expect((await shop.statusAndBody(response)).body.method).toBe(method)
  })

  it.each([300, 304, 305, 306, 309])('refuses to redirect with %i', async status => {
    expect((await shop.send(`/redirect?status=${status}`)).status).toBe(400)
  })

  it('GET /set-cookie', async () => {
    const response = await shop.send('/set-cookie', { headers: { cookie: 'session=s-1; theme=dark' } })
    expect(response.headers.getSetCookie()).toEqual([
      'session=s-1; Path=/; HttpOnly',
      'theme=dark; Path=/; Max-Age=3600',
    ])
    expect(await response.json()).toEqual({ cookies: { session: 's-1', theme: 'dark' } })
  })
})

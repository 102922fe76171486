import { gunzipSync } from 'node:zlib'
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

describe('what never changes', () => {
  it('GET /json', async () => {
    const response = await shop.send('/json')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now())).toBeLessThan(60_000)
    expect(await response.json()).toEqual({ id: 1, name: 'onrush', ok: true, tags: ['fast', 'true'] })
  })

  it('GET /json is the same with and without the parser', async () => {
    const [quick, parsed] = await Promise.all([shop.send('/json'), shop.send('/json?parsed')])
    expect(await quick.text()).toBe(await parsed.text())
    expect(quick.headers.get('content-type')).toBe(parsed.headers.get('content-type'))
  })

  it('HEAD /json has the length and no body', async () => {
    const response = await shop.send('/json', { method: 'HEAD' })
    expect(response.headers.get('content-length')).toBe('58')
    expect(await response.text()).toBe('')
  })

  it('GET /gzip is compressed', async () => {
    const client = await RawClient.to(shop.url)
    await client.send('GET /gzip HTTP/1.1\r\nhost: a\r\n\r\n')
    const [response] = await client.responses(1)
    client.close()
    expect(response?.head).toMatch(/^content-encoding: gzip$/m)
    const page = await (await shop.send('/items')).json()
    expect(JSON.parse(gunzipSync(response?.body ?? '').toString())).toEqual(page)
    expect(await (await shop.send('/gzip')).json()).toEqual(page)
  })

  it('GET /template', async () => {
    expect(await (await shop.send('/template')).text()).toContain('x is {{$._s.x}}')
  })

  it('GET / lists the routes', async () => {
    const text = await (await shop.send('/')).text()
    for (const route of ['/json', '/items/:id', '/freeze', '/stats/reset']) expect(text).toContain(route)
    expect(text).toContain(`curl ${shop.url}/json`)
  })
})

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

describe('the shop', () => {
  it('gives the same user the same token, and another another', async () => {
    expect(await shop.tokenOf('ada')).toBe(await shop.tokenOf('ada'))
    expect(await shop.tokenOf('ada')).not.toBe(await shop.tokenOf('bob'))
    expect(await shop.tokenOf('žofie.x')).toMatch(/^[\w-]+\.[\w-]{22}$/)
  })

  it.each([
    [{ user: 'ada', password: 'wrong' }, 401, 'unauthorized'],
    [{ user: 'ada' }, 422, 'invalid'],
    [{ password: 'secret' }, 422, 'invalid'],
    [{ user: '', password: 'secret' }, 422, 'invalid'],
    [[1], 422, 'invalid'],
    ['{"user":', 400, 'malformed'],
    ['', 400, 'malformed'],
  ])('refuses the login %j with %i', async (body, status, code) => {
    expect(await shop.statusAndBody(shop.postJson('/login', body))).toMatchObject({ status, body: { code } })
  })

  it('names every wrong field', async () => {
    const { body } = await shop.statusAndBody(shop.postJson('/login', {}))
    expect(body.errors.map(fault => fault.path)).toEqual(['$.user', '$.password'])
  })

  it('has pages that hold every item once', async () => {
    const ids: number[] = []
    for (let page = 1; page <= 50; page++) {
      const body = await shop.bodyOf(shop.send(`/items?page=${page}`))
      expect(body).toMatchObject({ page, pages: 50, total: 1000 })
      ids.push(...body.items.map(item => item.id))
    }
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1))
  })

  it.each(['0', '51', 'x', '1.5', '-1', ''])('refuses page %j', async page => {
    expect(await shop.statusAndBody(shop.send(`/items?page=${page}`))).toMatchObject({
      status: 400,
      body: { code: 'malformed' },
    })
  })

  it('shows an item to who has a token', async () => {
    const authorization = `Bearer ${await shop.tokenOf('ada')}`
    const [, seventh] = (await shop.bodyOf(shop.send('/items?page=1'))).items.slice(5)
    expect(await shop.statusAndBody(shop.send('/items/7', { headers: { authorization } }))).toEqual({
      status: 200,
      body: seventh,
    })
    for (const [path, status] of [
      ['/items/0', 404],
      ['/items/1001', 404],
      ['/items/x', 400],
    ] as const)
      expect((await shop.send(path, { headers: { authorization } })).status).toBe(status)
  })

  it.each([undefined, 'Bearer', 'Bearer x.y', 'Bearer YWRh', 'Basic YWRhOnNlY3JldA=='])(
    'hides an item from %j',
    async authorization => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      expect(await shop.statusAndBody(shop.send('/items/7', { headers }))).toMatchObject({ status: 401 })
    },
  )

  it('takes a token of one user for no other', async () => {
    const [ada, bob] = [await shop.tokenOf('ada'), await shop.tokenOf('bob')]
    const authorization = `Bearer ${ada.split('.')[0]}.${bob.split('.')[1]}`
    expect((await shop.send('/items/7', { headers: { authorization } })).status).toBe(401)
  })

  it('numbers the orders', async () => {
    const headers = { authorization: `Bearer ${await shop.tokenOf('ada')}` }
    const { body: item } = await shop.statusAndBody(shop.send('/items/7', { headers }))
    expect(await shop.statusAndBody(shop.postJson('/orders', { item: 7, quantity: 3 }, headers))).toEqual({
      status: 201,
      body: { id: 'order-1', user: 'ada', item: 7, quantity: 3, total: Math.round(item.price * 300) / 100 },
    })
    expect((await shop.statusAndBody(shop.postJson('/orders', { item: 8 }, headers))).body.id).toBe('order-2')
    await shop.reset()
    expect((await shop.statusAndBody(shop.postJson('/orders', { item: 8 }, headers))).body.id).toBe('order-1')
  })

  it('refuses orders without a token, without JSON, and says which fields are wrong', async () => {
    const headers = { authorization: `Bearer ${await shop.tokenOf('ada')}` }
    expect((await shop.postJson('/orders', { item: 1 })).status).toBe(401)
    expect((await shop.postJson('/orders', 'item=1', headers)).status).toBe(400)
    expect(await shop.statusAndBody(shop.postJson('/orders', { item: 0, quantity: '2' }, headers))).toMatchObject({
      status: 422,
      body: {
        errors: [
          { path: '$.item', message: 'expected a whole number from 1 to 1000, got 0' },
          { path: '$.quantity', message: 'expected a whole number from 1 to 100, got "2"' },
        ],
      },
    })
  })
})

import { Agent } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { head, type WatchedTarget, watchedTarget } from './testing/watched-target.ts'

let target: WatchedTarget
beforeEach(async () => {
  target = await watchedTarget()
})
afterEach(() => target.close())

describe('the counts', () => {
  it('are kept per route, status, and method', async () => {
    const client = await target.connected()
    await client.send(head('GET /json'))
    await client.send(head('GET /json'))
    await client.send(head('HEAD /json'))
    await client.send(head('GET /json?a=1'))
    await client.send(head('GET /items/1'))
    await client.send(head('GET /items/2'))
    await client.send(head('GET /status/418'))
    await client.send(head('PUT /status/503'))
    await client.send(head('DELETE /login'))
    await client.send(head('GET /nothing'))
    await client.send(head('GET /nothing/else'))
    // The answer to HEAD announces a body and has none, which only a client that knows the method can tell.
    await expect.poll(async () => (await target.stats()).completed).toBe(11)
    expect(await target.stats()).toMatchObject({
      seen: 11,
      completed: 11,
      aborted: 0,
      inFlight: 0,
      statuses: { 200: 4, 401: 2, 404: 2, 405: 1, 418: 1, 503: 1 },
      responses: {
        'GET /json 200': 3,
        'HEAD /json 200': 1,
        'GET /items/:id 401': 2,
        'GET /status/:code 418': 1,
        'PUT /status/:code 503': 1,
        'DELETE /login 405': 1,
        'GET (other) 404': 2,
      },
      routes: { '/json': { seen: 4, completed: 4, bytes: { received: 0, sent: 3 * 58 } } },
      connections: { used: 1 },
    })
  })

  it('are kept per name, with and without the parser', async () => {
    const client = await target.connected()
    await client.send(head('GET /json', 'x-onrush-name: look'))
    await client.send(head('GET /json'))
    await client.send(head('GET /status/500', 'X-Onrush-Name: look'))
    await client.send(head('POST /echo', 'x-onrush-name: buy a lamp', 'content-length: 3').concat('abc'))
    await client.responses(4)
    const { names } = await target.stats()
    expect(names).toMatchObject({
      look: { seen: 2, completed: 2, statuses: { 200: 1, 500: 1 } },
      'buy a lamp': { seen: 1, completed: 1, bytes: { received: 3 } },
    })
    expect(Object.keys(names)).toHaveLength(2)
  })

  it('do not grow by looking at them', async () => {
    for (let i = 0; i < 3; i++) await target.stats()
    await fetch(`${target.url}/stats?rows=1`)
    expect((await fetch(`${target.url}/stats`, { method: 'DELETE' })).status).toBe(405)
    expect((await fetch(`${target.url}/stats/reset`)).status).toBe(405)
    expect(await target.stats()).toMatchObject({ seen: 0, routes: {}, connections: { used: 0 } })
  })

  it('name the rows that came twice and those that never came', async () => {
    for (const row of ['1', '2', '4', '2', 'ada']) await fetch(`${target.url}/json`, { headers: { 'x-row': row } })
    await fetch(`${target.url}/items?page=1&row=5`)
    expect((await target.stats('?rows=1')).rows).toEqual({
      seen: 6,
      distinct: 5,
      repeated: 1,
      repeatedRows: { 2: 2 },
      least: 1,
      most: 5,
      missing: 1,
      missingRows: [3],
    })
    expect(await target.stats()).not.toHaveProperty('rows')
    await target.reset()
    expect((await target.stats('?rows=1')).rows).toMatchObject({ seen: 0, distinct: 0 })
  })

  it('see each connection that carried a request once', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 5 })
    await Promise.all(Array.from({ length: 50 }, (_, i) => target.ask(i % 2 === 0 ? '/json' : '/items', { agent })))
    expect((await target.stats()).connections.used).toBe(5)
    // The five are still there: each counts again from its first request after the reset.
    await target.reset()
    await Promise.all(Array.from({ length: 2 }, () => target.ask('/json', { agent })))
    expect((await target.stats()).connections.used).toBe(2)
    agent.destroy()
  })

  it('see the connections that carry nothing as well', async () => {
    const opened = [await target.connected(), await target.connected(), await target.connected()]
    expect((await target.stats()).connections).toEqual({ used: 0, opened: 4, open: 4 })
    for (const client of opened) client.close()
    await expect.poll(async () => (await target.stats()).connections).toEqual({ used: 0, opened: 4, open: 1 })
  })

  it('begin again after a reset, which answers the old ones and leaves out what is under way', async () => {
    const client = await target.connected()
    await client.send(head('GET /json'))
    await client.responses(1)
    await client.send(head('GET /slow?ms=1500'))
    await expect.poll(async () => (await target.stats()).inFlight).toBe(1)
    expect(await target.reset()).toMatchObject({ seen: 2, completed: 1, inFlight: 1 })
    await client.responses(1)
    expect(await target.stats()).toMatchObject({ seen: 0, completed: 0, aborted: 0, inFlight: 0, responses: {} })
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { head, type WatchedTarget, watchedTarget } from './testing/watched-target.ts'

let target: WatchedTarget
beforeEach(async () => {
  target = await watchedTarget()
})
afterEach(() => target.close())

describe('a request that is broken off', () => {
  it.each([
    ['before the answer', head('GET /hang')],
    ['while it waits', head('GET /slow?ms=60000')],
    ['in the middle of the answer', head('GET /bytes?n=1000000000')],
    ['between two chunks', head('GET /chunked?n=2&ms=60000')],
    ['in the middle of its own body', head('POST /echo', 'content-length: 1000').concat('abc')],
    // All of it has been given to node, far more than the kernel takes, and node calls that finished.
    ['with the end of the answer unsent', head('POST /echo', 'content-length: 16000000').concat('a'.repeat(16e6))],
  ])('%s is seen and aborted, not completed', async (_, bytes) => {
    const client = await target.connected()
    client.socket.pause()
    await client.send(bytes)
    const expected = bytes.includes('16000000') ? 16e6 : 0
    await expect
      .poll(async () => {
        const { inFlight, bytes } = await target.stats()
        return inFlight === 1 && bytes.sent >= expected
      })
      .toBe(true)
    client.close()
    await target.settled()
    expect(await target.stats()).toMatchObject({ seen: 1, completed: 0, aborted: 1, statuses: {}, responses: {} })
  })

  it('by the target is aborted too', async () => {
    for (const path of ['/reset', '/malformed']) {
      const client = await target.connected()
      await client.send(head(`GET ${path}`))
      await client.rest()
    }
    await target.settled()
    expect(await target.stats()).toMatchObject({ seen: 2, completed: 0, aborted: 2 })
  })

  it('before its head was whole is not seen', async () => {
    const client = await target.connected()
    await client.send('GET /json HTTP/1.1\r\nhost: a\r\n')
    client.close()
    await expect.poll(async () => (await target.stats()).connections.open).toBe(1)
    expect(await target.stats()).toMatchObject({ seen: 0, connections: { used: 0 } })
  })

  it('does not disturb the others', async () => {
    const requests = Array.from({ length: 60 }, async (_, i) => {
      const abort = new AbortController()
      const slow = i % 3 === 0
      const answer = fetch(`${target.url}${slow ? '/hang' : '/items'}`, { signal: abort.signal })
      if (!slow) return (await answer).text()
      await expect.poll(async () => (await target.stats()).routes['/hang']?.seen).toBe(20)
      abort.abort()
      return answer.catch(() => 'aborted')
    })
    await Promise.all(requests)
    await target.settled()
    expect(await target.stats()).toMatchObject({
      seen: 60,
      completed: 40,
      aborted: 20,
      responses: { 'GET /items 200': 40 },
      routes: { '/hang': { seen: 20, aborted: 20, completed: 0 } },
    })
  })
})

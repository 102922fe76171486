import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { FeedSocket } from './feed.ts'
import { listen, websocket } from './listen.ts'
import { problems } from './problems.ts'

const roomy = { most: 10, full: 'no room' }

it('serves requests and websockets on one port, and ends both when it closes', async () => {
  const heard: string[] = []
  const app = new Hono()
  app.get('/', c => c.text('here'))
  app.get(
    '/feed/:name',
    websocket(request => {
      let client: FeedSocket | undefined
      return {
        open: socket => {
          client = socket
          socket.send(`hello ${request.param('name')}`)
        },
        message: text => client?.send(`heard ${text}`),
        closed: () => heard.push('closed'),
      }
    }, roomy),
  )
  const listening = await listen(app, '127.0.0.1', 0)
  expect(await (await fetch(listening.url)).text()).toBe('here')

  const socket = new WebSocket(`${listening.url.replace('http', 'ws')}/feed/ada`)
  socket.on('message', data => heard.push(String(data)))
  await new Promise(opened => socket.once('open', opened))
  socket.send('hi')
  await expect.poll(() => heard).toEqual(['hello ada', 'heard hi'])

  await listening.close()
  await expect.poll(() => heard).toContain('closed')
  await expect(fetch(listening.url)).rejects.toThrow()
})

it('says where it could not listen', async () => {
  const app = new Hono()
  const first = await listen(app, '127.0.0.1', 0)
  await expect(listen(app, '127.0.0.1', first.port)).rejects.toMatchObject({ code: 'unavailable' })
  await first.close()
})

it('has room for so many clients and no more, however many come at once, and for others once they are gone', async () => {
  const app = new Hono()
  const { onError } = problems(() => {})
  app.onError(onError)
  app.get(
    '/feed',
    websocket(async () => {
      // Every one of them is let in before the first is there.
      await new Promise(done => setTimeout(done, 20))
      return { open: () => {}, closed: () => {} }
    }, roomy),
  )
  const listening = await listen(app, '127.0.0.1', 0)
  const url = `${listening.url.replace('http', 'ws')}/feed`
  const come = () =>
    new Promise<WebSocket | undefined>(resolve => {
      const socket = new WebSocket(url)
      socket.once('open', () => resolve(socket))
      socket.once('error', () => resolve(undefined))
    })
  try {
    // Whoever only looks takes no place.
    for (let i = 0; i < 20; i++) await (await fetch(`${listening.url}/feed`)).body?.cancel()
    const first = (await Promise.all(Array.from({ length: 50 }, come))).filter(socket => socket !== undefined)
    expect(first).toHaveLength(roomy.most)
    expect(await come()).toBeUndefined()
    for (const socket of first) socket.terminate()
    await expect.poll(come).toBeDefined()
  } finally {
    await listening.close()
  }
})

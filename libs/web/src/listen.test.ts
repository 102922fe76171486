import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { FeedSocket } from './feed.ts'
import { listen, websocket } from './listen.ts'

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
    }),
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

import { hostname } from 'node:os'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { addressOf, listenEarly } from './early-port.ts'

it('a request that comes before the app waits for it', async () => {
  const port = await listenEarly('127.0.0.1', 0)
  try {
    const asked = fetch(`${port.url}/hello`)
    const first = await Promise.race([asked, new Promise(done => setTimeout(done, 50, 'nothing yet'))])
    expect(first).toBe('nothing yet')
    port.serve(new Hono().get('/hello', c => c.text('here')))
    expect(await (await asked).text()).toBe('here')
  } finally {
    await port.close()
  }
})

it('others reach it where it was told, where it listens, or by its host’s name', () => {
  const at = (host: string) => ({ host, url: `http://${host}:7070`, port: 7070, close: async () => {} })
  expect(addressOf('http://reporter-1:80', at('0.0.0.0'))).toBe('http://reporter-1:80')
  expect(addressOf(undefined, at('10.0.0.7'))).toBe('http://10.0.0.7:7070')
  for (const everywhere of ['0.0.0.0', '::'])
    expect(addressOf(undefined, at(everywhere))).toBe(`http://${hostname()}:7070`)
})

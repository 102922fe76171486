import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { demoTargetAt, whereDemoIs } from './demo-target-at.ts'

it('takes free ports where the one that it should have is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : 0
  const target = await demoTargetAt(taken)
  try {
    expect(target.port).not.toBe(taken)
    expect((await fetch(`${target.url}/json`)).status).toBe(200)
  } finally {
    await target.stop()
    server.close()
  }
})

it('says where simulations find it when it is not where they look', () => {
  const at = (port: number) => ({ url: `http://127.0.0.1:${port}`, grpc: `127.0.0.1:${port + 1}`, port })
  expect(whereDemoIs(at(7090))).toBe('demo target on http://127.0.0.1:7090, gRPC on 127.0.0.1:7091\n')
  expect(whereDemoIs(at(20_000))).toContain('-e shop=http://127.0.0.1:20000\n')
  expect(whereDemoIs(at(20_000))).toContain('-e catalog=127.0.0.1:20001')
})

it('has the port that it should have where that is free', async () => {
  const missed: number[] = []
  // Any port may be somebody's; so many in a row are not.
  while (missed.length < 5) {
    const port = randomInt(10_000, 32_000)
    const target = await demoTargetAt(port)
    await target.stop()
    if (target.port === port) return
    missed.push(port)
  }
  expect.unreachable(`it was not on any of ${missed.join(', ')}`)
})

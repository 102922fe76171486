import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { announceReady } from '@onrush/fleet/barrier'
import { tell } from '@onrush/fleet/control'
import { names } from '@onrush/fleet/names'
import { connectRedis, type Redis } from '@onrush/fleet/redis'
import { startRedis } from '@onrush/servers/redis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ControlHub } from './control-hub.ts'
import { awaitStart } from './start-gate.ts'

let redis: Redis
let hub: ControlHub
const ends: (() => unknown)[] = []
beforeAll(async () => {
  const server = await startRedis({ dataDir: await mkdtemp(join(tmpdir(), 'onrush-gate-')) })
  const open = async (purpose: 'blocking' | 'subscriber') => {
    const connection = await connectRedis(server.url, purpose, () => {})
    ends.push(() => connection.disconnect())
    return connection
  }
  redis = await open('blocking')
  hub = await ControlHub.open(await open('subscriber'))
  ends.push(() => server.stop())
}, 120_000)
beforeEach(() => redis.flushall())
afterAll(async () => {
  for (const end of ends) await end()
})

const never = new AbortController().signal

it('lets all shards start at one instant, the last as well as the first', async () => {
  const gates = [0, 1, 2].map(shard => awaitStart({ redis, hub }, 'a', shard, 3, never))
  const instants = await Promise.all(gates)
  expect(new Set(instants).size).toBe(1)
})

it('finds the start by its key when the message was missed', async () => {
  const deaf = new ControlHub()
  const gate = awaitStart({ redis, hub: deaf }, 'a', 0, 2, never)
  await announceReady(redis, 'a', 1, 2)
  expect(await gate).toBe(Number(await redis.get(names.start('a'))))
})

it('ends when the run is aborted before it started', async () => {
  const gate = awaitStart({ redis, hub }, 'a', 0, 2, never)
  const refused = expect(gate).rejects.toThrow('worker w2 was lost')
  await expect.poll(() => redis.smembers(names.ready('a'))).toEqual(['0'])
  await tell(redis, { type: 'abort', run: 'a', reason: 'worker w2 was lost' })
  await refused
})

it('ends when its own worker ends it', async () => {
  const ending = new AbortController()
  const refused = expect(awaitStart({ redis, hub }, 'a', 0, 2, ending.signal)).rejects.toThrow('before the start')
  ending.abort()
  await refused
})

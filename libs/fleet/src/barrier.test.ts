import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { announceReady, readyShards, startInstant } from './barrier.ts'
import { type ControlMessage, listen } from './control.ts'
import { testRedis } from './redis.testing.ts'
import { measureOffset, offsetOf } from './redis-clock.ts'

const on = testRedis()

it('starts when the last shard is ready, at one instant for all, and tells everyone', async () => {
  const heard: ControlMessage[] = []
  await listen(await on.open(), message => heard.push(message))
  expect(await announceReady(on.redis, 'a', 0, 3)).toBeUndefined()
  expect(await announceReady(on.redis, 'a', 2, 3)).toBeUndefined()
  expect(await startInstant(on.redis, 'a')).toBeUndefined()
  const at = await announceReady(on.redis, 'a', 1, 3)
  expect(await startInstant(on.redis, 'a')).toBe(at)
  await expect.poll(() => heard).toEqual([{ type: 'start', run: 'a', at }])
})

it('counts an announcement that comes twice once, and answers a late one', async () => {
  expect(await announceReady(on.redis, 'a', 0, 2)).toBeUndefined()
  expect(await announceReady(on.redis, 'a', 0, 2)).toBeUndefined()
  expect(await readyShards(on.redis, 'a')).toEqual([0])
  const at = await announceReady(on.redis, 'a', 1, 2)
  expect(await announceReady(on.redis, 'a', 0, 2)).toBe(at)
})

it('places the start ahead of the clock of Redis', async () => {
  const { offset, error } = await measureOffset(on.redis, () => performance.now())
  const at = await announceReady(on.redis, 'a', 0, 1)
  expect(Number(at) - offset + error).toBeGreaterThan(performance.now())
})

it('trusts the shortest round trip', () => {
  const trips = [
    { sent: 0, received: 100, redis: 5_050 },
    { sent: 200, received: 202, redis: 5_301 },
    { sent: 300, received: 350, redis: 5_400 },
  ]
  expect(offsetOf(trips)).toEqual({ offset: 5_100, error: 1 })
})

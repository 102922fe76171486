import type { NodeRecord } from '@onrush/protocol/node'
import { protocolVersion } from '@onrush/protocol/protocol-version'
import { expect, it } from 'vitest'
import { tellStop } from './control.ts'
import { listNodes, sayGoodbye, sendHeartbeat } from './heartbeat.ts'
import { names } from './names.ts'
import { testRedis } from './redis.testing.ts'
import { reserveWorkers } from './reservation.ts'

const on = testRedis()
const record: NodeRecord = {
  id: 'w1',
  role: 'worker',
  address: 'http://127.0.0.1:7071',
  hostname: 'box',
  version: '0.1.0',
  protocol: protocolVersion,
  status: 'idle',
  startedAt: '2026-11-20T10:00:00.000Z',
  cores: 2,
  threads: 1,
  memory: { total: 1, used: 1 },
  load: 0,
}

it('lists a node that beats, as dead once it stops, and not at all once it said goodbye', async () => {
  await sendHeartbeat(on.redis, record, 'first')
  expect(await listNodes(on.redis)).toEqual([{ record, alive: true }])
  await on.redis.del(names.heartbeat('w1'))
  expect(await listNodes(on.redis)).toEqual([{ record, alive: false }])
  await sayGoodbye(on.redis, 'w1')
  expect(await listNodes(on.redis)).toEqual([])
})

it('tells a node that was given up, and only that incarnation of it', async () => {
  await on.redis.sadd(names.buried('w1'), 'first')
  expect(await sendHeartbeat(on.redis, record, 'first')).toEqual({ state: 'buried' })
  expect(await listNodes(on.redis)).toEqual([])
  expect(await sendHeartbeat(on.redis, record, 'second')).toEqual({ state: 'alive', run: undefined, stop: undefined })
})

it("brings the stop of the node's run, for a node that missed the message", async () => {
  await sendHeartbeat(on.redis, record, 'first')
  await reserveWorkers(on.redis, 'a', 1)
  await tellStop(on.redis, 'a', 'stopped by ada')
  expect(await sendHeartbeat(on.redis, record, 'first')).toEqual({
    state: 'alive',
    run: 'a',
    stop: 'stopped by ada',
  })
})

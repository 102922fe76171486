import type { NodeRecord } from '@onrush/protocol/node'
import { protocolVersion } from '@onrush/protocol/protocol-version'
import { describe, expect, it } from 'vitest'
import { sendHeartbeat } from './heartbeat.ts'
import { testRedis } from './redis.testing.ts'
import { giveUpWaiting, listReservations, releaseWorker, reserveWorkers } from './reservation.ts'

const on = testRedis()

const node = (id: string, role: NodeRecord['role'] = 'worker'): NodeRecord => ({
  id,
  role,
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
})
const alive = async (...ids: string[]) => {
  for (const id of ids) await sendHeartbeat(on.redis, node(id), 'first')
}

describe('reserving workers', () => {
  it('gives all idle ones where no number is named, and never a reporter', async () => {
    await alive('w2', 'w1')
    await sendHeartbeat(on.redis, node('r1', 'reporter'), 'first')
    expect(await reserveWorkers(on.redis, 'a', undefined)).toEqual({ state: 'reserved', workers: ['w1', 'w2'] })
  })

  it('gives all that are wanted or none', async () => {
    await alive('w1', 'w2', 'w3')
    expect(await reserveWorkers(on.redis, 'a', 2)).toEqual({ state: 'reserved', workers: ['w1', 'w2'] })
    expect(await reserveWorkers(on.redis, 'b', 2)).toEqual({ state: 'waiting', reason: '1 more idle worker is needed' })
    expect(await listReservations(on.redis)).toEqual(
      new Map([
        ['w1', 'a'],
        ['w2', 'a'],
      ]),
    )
  })

  it('passes over workers of another protocol version, and says which of the two must be upgraded', async () => {
    await alive('w1')
    await sendHeartbeat(on.redis, { ...node('w2'), protocol: protocolVersion + 1 }, 'first')
    expect(await reserveWorkers(on.redis, 'a', 2)).toEqual({
      state: 'waiting',
      reason: `more workers are wanted than are alive (1); worker w2 speaks protocol ${protocolVersion + 1}, this reporter protocol ${protocolVersion}: upgrade this reporter and run the same version everywhere`,
    })
    expect(await reserveWorkers(on.redis, 'b', 'all')).toEqual({ state: 'reserved', workers: ['w1'] })
  })

  it('answers the same workers when it is asked again, as after a crash', async () => {
    await alive('w1', 'w2')
    const first = await reserveWorkers(on.redis, 'a', 1)
    expect(await reserveWorkers(on.redis, 'a', 1)).toEqual(first)
  })

  it('lets no small run overtake a large one that waits', async () => {
    await alive('w1', 'w2')
    await reserveWorkers(on.redis, 'small', 1)
    expect((await reserveWorkers(on.redis, 'large', 2)).state).toBe('waiting')
    expect(await reserveWorkers(on.redis, 'late', 1)).toEqual({
      state: 'waiting',
      reason: 'run large came first and waits for workers',
    })
    await releaseWorker(on.redis, 'w1', 'small')
    expect((await reserveWorkers(on.redis, 'late', 1)).state).toBe('waiting')
    expect(await reserveWorkers(on.redis, 'large', 2)).toEqual({ state: 'reserved', workers: ['w1', 'w2'] })
  })

  it('is not held back by a run that wants more than are alive', async () => {
    await alive('w1')
    expect(await reserveWorkers(on.redis, 'huge', 5)).toEqual({
      state: 'waiting',
      reason: 'more workers are wanted than are alive (1)',
    })
    expect(await reserveWorkers(on.redis, 'small', 1)).toEqual({ state: 'reserved', workers: ['w1'] })
  })

  it('is not held back by a run that waits for other workers by name', async () => {
    await alive('w1', 'w2')
    await reserveWorkers(on.redis, 'a', ['w1'])
    expect(await reserveWorkers(on.redis, 'b', ['w1'])).toEqual({ state: 'waiting', reason: 'worker w1 is busy' })
    expect(await reserveWorkers(on.redis, 'c', ['w2'])).toEqual({ state: 'reserved', workers: ['w2'] })
  })

  it('waits for the busy ones where all are wanted', async () => {
    await alive('w1', 'w2')
    await reserveWorkers(on.redis, 'a', 1)
    expect((await reserveWorkers(on.redis, 'b', 'all')).state).toBe('waiting')
    await releaseWorker(on.redis, 'w1', 'a')
    expect(await reserveWorkers(on.redis, 'b', 'all')).toEqual({ state: 'reserved', workers: ['w1', 'w2'] })
  })

  it('makes room for others when a run gives up waiting', async () => {
    await alive('w1', 'w2')
    await reserveWorkers(on.redis, 'a', 1)
    await reserveWorkers(on.redis, 'b', 2)
    await giveUpWaiting(on.redis, 'b')
    expect(await reserveWorkers(on.redis, 'c', 1)).toEqual({ state: 'reserved', workers: ['w2'] })
  })

  it('frees no worker that another run holds by now', async () => {
    await alive('w1')
    await reserveWorkers(on.redis, 'a', 1)
    await releaseWorker(on.redis, 'w1', 'another')
    expect(await listReservations(on.redis)).toEqual(new Map([['w1', 'a']]))
  })

  it('gives no worker twice, however many ask at once', async () => {
    await alive('w1', 'w2', 'w3', 'w4')
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => reserveWorkers(on.redis, `run-${i}`, 1)))
    const given = answers.flatMap(answer => (answer.state === 'reserved' ? answer.workers : []))
    expect(given.sort()).toEqual(['w1', 'w2', 'w3', 'w4'])
  })
})

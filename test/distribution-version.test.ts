import { sendHeartbeat } from '@onrush/fleet/heartbeat'
import { openRunsQueue, openWorkerQueue } from '@onrush/fleet/queues'
import { connectRedis, type Redis } from '@onrush/fleet/redis'
import { createRun } from '@onrush/fleet/run-store'
import { linksOf } from '@onrush/protocol/job'
import type { NodeRecord } from '@onrush/protocol/node'
import { protocolVersion } from '@onrush/protocol/protocol-version'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, ended, Fleet, jobOf, start, until } from './support/fleet.ts'

let fleet: Fleet
let redis: Redis
const later = protocolVersion + 1
const onError = (error: Error) => {
  throw error
}

beforeAll(async () => {
  fleet = await Fleet.start({ workers: 1 })
  redis = await connectRedis(fleet.redis.url, 'blocking', onError)
})
afterAll(async () => {
  redis?.disconnect()
  await fleet?.stop()
})

const reporter = () => fleet.service('r1')

it('nodes say which protocol they speak, and a run passes over a worker of another one and says so', async () => {
  const { body } = await ask<NodeRecord[]>(reporter(), 'GET', '/api/workers')
  const [known] = body
  if (known === undefined) throw new Error('no worker is listed')
  expect(known.protocol).toBe(protocolVersion)
  const beat = () => sendHeartbeat(redis, { ...known, id: 'newer', protocol: later }, 'first')
  await beat()
  const beating = setInterval(beat, 1_000)
  const single = { url: `${fleet.target.url}/json`, rate: 10, duration: '1s' }
  const { runId } = await start(reporter(), '/api/single', { ...single, workers: 2, startTimeout: '60s' })
  const job = await until(reporter(), runId, ({ waiting }) => waiting !== undefined)
  expect(job.waiting).toContain(
    `worker newer speaks protocol ${later}, this reporter protocol ${protocolVersion}: upgrade this reporter`,
  )
  await ask(reporter(), 'DELETE', `/api/job/${runId}`)
  await ended(reporter(), runId)
  const alone = await start(reporter(), '/api/single', single)
  expect(await ended(reporter(), alone.runId)).toMatchObject({ status: 'finished', workers: [{ id: 'w1' }] })
  clearInterval(beating)
})

it('a job of another protocol is refused with the name of who must be upgraded', async () => {
  const queue = openWorkerQueue('w1', redis, onError)
  const job = await queue.add('shard', { v: later, kind: 'shard' }, { jobId: 'foreign-shard' })
  await expect.poll(async () => await job.getState()).toBe('failed')
  expect((await queue.getJob('foreign-shard'))?.failedReason).toMatch(
    new RegExp(`worker w1 speaks protocol ${protocolVersion}, .* protocol ${later}: upgrade worker w1`),
  )
  await queue.close()

  const runId = 'foreign-20260101000000-abcdef'
  const plan = { durationMs: 1_000, arrivals: 1 }
  const createdAt = new Date().toISOString()
  await createRun(redis, { runId, name: 'foreign', kind: 'single', createdAt, plan, links: linksOf(runId) })
  const runs = openRunsQueue(redis, onError)
  await runs.add('run', { v: later }, { jobId: runId })
  await expect.poll(async () => (await jobOf(reporter(), runId)).status).toBe('failed')
  expect((await jobOf(reporter(), runId)).error).toMatch(/upgrade this reporter/)
  await runs.close()
})

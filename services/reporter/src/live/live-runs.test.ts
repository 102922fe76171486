import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectRedis } from '@onrush/fleet/redis'
import { changeRun, createRun } from '@onrush/fleet/run-store'
import { linksOf } from '@onrush/protocol/job'
import { startRedis } from '@onrush/servers/redis'
import { expect, it, onTestFinished } from 'vitest'
import { LiveLog } from './live-log.ts'
import { LiveRuns } from './live-runs.ts'

it('a client that comes while all runs are looked at is not left with one that nobody follows', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onrush-live-'))
  const server = await startRedis({ dataDir: join(folder, 'redis') })
  const redis = await connectRedis(server.url, 'blocking', () => {})
  const subscriber = await connectRedis(server.url, 'subscriber', () => {})
  onTestFinished(async () => {
    redis.disconnect()
    subscriber.disconnect()
    await server.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })
  const live = new LiveRuns({
    redis,
    subscriber,
    reporter: 'r1',
    jobOf: async () => undefined,
    liveLog: new LiveLog(join(folder, 'live'), () => {}),
    now: () => performance.now(),
    log: () => {},
  })
  const ends: number[] = []
  for (let i = 0; i < 40; i++) {
    const runId = `run-${i}`
    const createdAt = new Date().toISOString()
    const plan = { durationMs: null, arrivals: null }
    await createRun(redis, { runId, name: 'run', kind: 'single', createdAt, plan, links: linksOf(runId) })
    const seen = Promise.withResolvers<void>()
    const socket = { bufferedAmount: 0, send: () => seen.resolve(), terminate: () => {}, close: () => ends.push(i) }
    // The two take turns in every order.
    if (i % 2 === 0) live.look()
    live.watch(runId, socket)
    live.look()
    await seen.promise
    await changeRun(redis, runId, { status: 'finished', endedAt: new Date().toISOString() })
    await expect
      .poll(
        () => {
          live.look()
          return ends.includes(i)
        },
        { timeout: 10_000 },
      )
      .toBe(true)
  }
})

import { expect, it } from 'vitest'
import { workerQueue } from './names.ts'
import {
  addChild,
  comeBackLater,
  openRunsQueue,
  openWorkerQueue,
  reachInto,
  takeRuns,
  takeShards,
  waitForChildren,
} from './queues.ts'
import { testRedis } from './redis.testing.ts'

const on = testRedis()
const onError = (error: Error) => {
  throw error
}

it('a run waits for all its shards, one of which fails, and then continues', async () => {
  const runs = openRunsQueue<{ step: string }>(await on.open(), onError)
  const shards = {
    w1: openWorkerQueue<number>('w1', await on.open(), onError),
    w2: openWorkerQueue<number>('w2', await on.open(), onError),
  }
  const seen: string[] = []
  const outcome = Promise.withResolvers<{ values: unknown[]; failures: string[] }>()
  const reporter = takeRuns<{ step: string }, void>(
    await on.open(),
    async (job, token = '') => {
      seen.push(job.data.step)
      if (job.data.step === 'allocate') {
        await job.updateData({ step: 'dispatch' })
        return comeBackLater(job, token, 10)
      }
      if (job.data.step === 'dispatch') {
        await addChild(shards.w1, job, `${job.id}-s0`, 'shard', 0)
        await addChild(shards.w2, job, `${job.id}-s1`, 'shard', 1)
        await job.updateData({ step: 'merge' })
        await waitForChildren(job, token)
      }
      outcome.resolve({
        values: Object.values(await job.getChildrenValues()),
        failures: Object.values(await job.getIgnoredChildrenFailures()),
      })
    },
    onError,
  )
  await runs.add('run', { step: 'allocate' }, { jobId: 'a' })
  // Shards that are over before the run waits for them are no reason to wait.
  await expect.poll(async () => (await runs.getJob('a'))?.getState(), { timeout: 20_000 }).toBe('waiting-children')
  const takers = [
    takeShards<number, string>('w1', await on.open(), async () => 'done', onError),
    takeShards<number, string>(
      'w2',
      await on.open(),
      async () => {
        throw new Error('its thread crashed')
      },
      onError,
    ),
  ]
  expect(await outcome.promise).toEqual({ values: ['done'], failures: ['its thread crashed'] })
  expect(seen).toEqual(['allocate', 'dispatch', 'merge'])
  await Promise.all([
    reporter.close(),
    ...takers.map(taker => taker.close()),
    runs.close(),
    shards.w1.close(),
    shards.w2.close(),
  ])
})

it('a hand reaches into the queue of a dead worker and fails what waits there', async () => {
  const queue = openWorkerQueue<number>('w9', await on.open(), onError)
  await queue.add('shard', 1, { jobId: 'a-s0' })
  const hand = reachInto<number>(workerQueue('w9'), await on.open(), onError)
  const job = await hand.getNextJob('reaper', { block: false })
  await job?.moveToFailed(new Error('worker w9 was lost'), 'reaper', false)
  expect(await (await queue.getJob('a-s0'))?.getState()).toBe('failed')
  await Promise.all([hand.close(), queue.close()])
})

import { sealFrames } from './frame-log.ts'
import { WorkerJob } from './jobs.ts'
import { workerQueue } from './names.ts'
import { failAll, openWorkerQueue, reachInto } from './queues.ts'
import type { OnRedisError, Redis } from './redis.ts'
import { changeWorker } from './run-store.ts'

/** A shard that nobody will run to its end. */
export interface FailedShard {
  readonly runId: string
  readonly shard: number
}

/**
 * Fails what a worker that is gone had begun, and what waits for it. Frames are sealed first: what is read afterwards is
 * the last word. Safe to repeat, and by two at once.
 */
export async function failShards(
  redis: Redis,
  worker: string,
  reason: string,
  onError: OnRedisError,
): Promise<FailedShard[]> {
  const queue = openWorkerQueue<unknown>(worker, redis, onError)
  const hand = reachInto<unknown>(workerQueue(worker), redis, onError)
  const failed: FailedShard[] = []
  try {
    await failAll(queue, hand, redis, reason, async job => {
      const checked = WorkerJob.safeParse(job.data)
      if (!checked.success || checked.data.kind !== 'shard') return
      const { shard, plan } = checked.data
      await sealFrames(redis, plan.runId, shard)
      await changeWorker(redis, plan.runId, { id: worker, status: 'lost', error: reason })
      failed.push({ runId: plan.runId, shard })
    })
  } finally {
    await hand.close()
    await queue.close()
  }
  return failed
}

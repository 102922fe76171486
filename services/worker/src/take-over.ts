import { setTimeout as sleep } from 'node:timers/promises'
import { failShards } from '@onrush/fleet/fail-shards'
import { isAlive, lifeMs } from '@onrush/fleet/heartbeat'
import { openRunsQueue } from '@onrush/fleet/queues'
import type { OnRedisError, Redis } from '@onrush/fleet/redis'
import { listReservations, releaseWorker } from '@onrush/fleet/reservation'
import { changeRun } from '@onrush/fleet/run-store'
import { OnrushError } from '@onrush/protocol/error'

/** A heart that stopped is gone after its life; one that beats on after twice that belongs to somebody who lives. */
const patienceMs = 2 * lifeMs

/**
 * Comes in the place of an earlier process with our id. What that one had begun nobody runs any more, and no reaper will
 * see it: our heart beats in its place.
 */
export async function takeOver(redis: Redis, worker: string, onError: OnRedisError): Promise<void> {
  for (let waited = 0; await isAlive(redis, worker); waited += 200) {
    if (waited > patienceMs) {
      throw new OnrushError(
        'conflict',
        `another worker with the id "${worker}" is alive: give this one another ONRUSH_ID`,
      )
    }
    await sleep(200)
  }
  const reason = `worker ${worker} was lost: it began anew while it ran this`
  await failShards(redis, worker, reason, onError)
  const run = (await listReservations(redis)).get(worker)
  if (run === undefined) return
  const runs = openRunsQueue(redis, onError)
  try {
    // A run of a reporter has a job, which goes on without us or gives us its shard; one that was ours alone has none.
    if ((await runs.getJob(run)) !== undefined) return
    await changeRun(redis, run, { status: 'failed', error: reason, endedAt: new Date().toISOString() })
    await releaseWorker(redis, worker, run)
  } finally {
    await runs.close()
  }
}

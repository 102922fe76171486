import type { Connections } from '@onrush/fleet/connections'
import type { RunJob } from '@onrush/fleet/jobs'
import {
  openCallbacksQueue,
  openRunsQueue,
  openSchedulesQueue,
  type Queue,
  takeCallbacks,
  takeRuns,
  takeTicks,
} from '@onrush/fleet/queues'
import type { Redis } from '@onrush/fleet/redis'
import type { Log } from '@onrush/web/log'
import { type CallbackJob, type CallbackNeeds, postCallback } from './runs/callbacks.ts'
import type { RunProcessor } from './runs/run-processor.ts'
import type { StartRuns } from './runs/start-runs.ts'
import { beginTick, type Tick } from './schedules.ts'

export interface Queues {
  readonly runs: Queue<RunJob>
  readonly ticks: Queue<Tick>
  readonly callbacks: Queue<CallbackJob>
  /** The same two for what somebody waits for: they fail at once while Redis is away. */
  readonly quickRuns: Queue<RunJob>
  readonly quickTicks: Queue<Tick>
}

export const openQueues = (redis: Redis, quick: Redis, { onError }: Connections): Queues => ({
  runs: openRunsQueue<RunJob>(redis, onError),
  ticks: openSchedulesQueue<Tick>(redis, onError),
  callbacks: openCallbacksQueue<CallbackJob>(redis, onError),
  quickRuns: openRunsQueue<RunJob>(quick, onError),
  quickTicks: openSchedulesQueue<Tick>(quick, onError),
})

export interface TakerNeeds {
  readonly connections: Connections
  readonly processor: RunProcessor
  readonly starts: StartRuns
  readonly callbacks: CallbackNeeds
  readonly log: Log
}

/** Takes what lies in the queues from here on; answers what ends that, once the jobs in hand are done. */
export async function takeJobs(needs: TakerNeeds): Promise<() => Promise<void>> {
  const { connections, processor, starts, callbacks, log } = needs
  const { onError } = connections
  const begin = async (job: Parameters<typeof beginTick>[2]) => {
    try {
      await beginTick(starts, callbacks.seal, job)
    } catch (error) {
      // Nobody waits for its answer: who looks for the run that is missing finds the reason here.
      log('error', 'a scheduled run could not begin', { schedule: job.data.id, error })
      throw error
    }
  }
  const takers = [
    takeRuns<unknown, unknown>(
      await connections.open('blocking'),
      (job, token = '') => processor.process(job, token),
      onError,
    ),
    takeTicks<Tick>(await connections.open('blocking'), begin, onError),
    takeCallbacks<CallbackJob>(await connections.open('blocking'), job => postCallback(callbacks, job), onError),
  ]
  return async () => {
    await Promise.all(takers.map(taker => taker.close()))
  }
}

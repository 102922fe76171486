import {
  DelayedError,
  defaultRepeatStrategy,
  type Job,
  type Processor,
  Queue,
  WaitingChildrenError,
  Worker,
} from 'bullmq'
import { callbacksQueue, prefix, runsQueue, schedulesQueue, workerQueue } from './names.ts'
import type { OnRedisError, Redis } from './redis.ts'

export type { Job, Queue, Worker } from 'bullmq'

/** A job's progress is copied into its queue's event stream, whose default length would keep some 30 MB per queue. */
const streams = { events: { maxLen: 100 } }

/** Jobs are kept until their run is pruned: children until the parent has merged them, parents for the queue dashboard. */
const kept = { removeOnComplete: { age: 7 * 86_400 }, removeOnFail: { age: 7 * 86_400 } }

/**
 * Locks are long and the stalled check is off: a Redis that is away for seconds makes healthy shards look stalled. What
 * tells life from death is our own heartbeat, and the reaper acts on it.
 */
const patience = { lockDuration: 600_000, lockRenewTime: 15_000, skipStalledCheck: true }

/** When a cron line is due next; throws where the queue cannot read it. */
export const nextTick = (pattern: string, timezone: string | undefined): number | undefined =>
  defaultRepeatStrategy(0, { pattern, ...(timezone === undefined ? {} : { tz: timezone }) })

export function openQueue<T>(name: string, connection: Redis, onError: OnRedisError): Queue<T> {
  const queue = new Queue<T>(name, { connection, prefix, streams, defaultJobOptions: { attempts: 1, ...kept } })
  queue.on('error', onError)
  return queue
}

export const openRunsQueue = <T>(connection: Redis, onError: OnRedisError): Queue<T> =>
  openQueue<T>(runsQueue, connection, onError)

export const openWorkerQueue = <T>(worker: string, connection: Redis, onError: OnRedisError): Queue<T> =>
  openQueue<T>(workerQueue(worker), connection, onError)

/**
 * Takes the shards of one worker, one at a time. BullMQ gives the processor an abort signal only where it declares three
 * parameters; ours stops the load itself and needs none.
 */
export function takeShards<T, R>(
  worker: string,
  connection: Redis,
  handle: (job: Job<T, R>) => Promise<R>,
  onError: OnRedisError,
): Worker<T, R> {
  const taker = new Worker<T, R>(workerQueue(worker), job => handle(job), {
    connection,
    prefix,
    concurrency: 1,
    autorun: true,
    ...patience,
  })
  taker.on('error', onError)
  return taker
}

const resumed = { lockDuration: 30_000, stalledInterval: 5_000, maxStalledCount: 1_000 }

/**
 * Takes runs. Steps are safe to repeat, so a reporter's death is left to the queue's own stalled check: a lock of 30 s, and
 * as many restarts as it takes.
 */
export function takeRuns<T, R>(connection: Redis, handle: Processor<T, R>, onError: OnRedisError): Worker<T, R> {
  const taker = new Worker<T, R>(runsQueue, handle, { connection, prefix, concurrency: 50, ...resumed })
  taker.on('error', onError)
  return taker
}

export const openSchedulesQueue = <T>(connection: Redis, onError: OnRedisError): Queue<T> =>
  openQueue<T>(schedulesQueue, connection, onError)

/** Takes what schedules bring due. A tick that fails is not tried again: the next one comes by itself. */
export function takeTicks<T>(connection: Redis, handle: Processor<T, void>, onError: OnRedisError): Worker<T, void> {
  const taker = new Worker<T, void>(schedulesQueue, handle, { connection, prefix, concurrency: 4, ...resumed })
  taker.on('error', onError)
  return taker
}

export const openCallbacksQueue = <T>(connection: Redis, onError: OnRedisError): Queue<T> =>
  openQueue<T>(callbacksQueue, connection, onError)

/** Seven attempts within about two minutes: a receiver that restarts is found again, one that is gone is given up. */
export async function addCallback<T>(queue: Queue<T>, id: string, data: T): Promise<void> {
  await (queue as Queue).add('callback', data, {
    jobId: id,
    attempts: 7,
    backoff: { type: 'exponential', delay: 2_000 },
  })
}

export function takeCallbacks<T>(
  connection: Redis,
  handle: Processor<T, void>,
  onError: OnRedisError,
): Worker<T, void> {
  const taker = new Worker<T, void>(callbacksQueue, handle, { connection, prefix, concurrency: 8, ...resumed })
  taker.on('error', onError)
  return taker
}

/** A hand into a queue whose worker is dead: takes its waiting jobs one by one, to fail them. */
export function reachInto<T>(name: string, connection: Redis, onError: OnRedisError): Worker<T> {
  const hand = new Worker<T>(name, null, { connection, prefix, autorun: false, ...patience })
  hand.on('error', onError)
  return hand
}

/**
 * Fails what a dead worker had begun and what waits for it. The token `0` passes by the lock, which the dead one still
 * holds; the lock itself goes too, or a revived one would renew it and nobody could remove the job for ten minutes.
 */
export async function failAll<T>(
  queue: Queue<T>,
  hand: Worker<T>,
  connection: Redis,
  reason: string,
  before: (job: Job<T>) => Promise<void>,
): Promise<void> {
  for (const job of await queue.getActive()) {
    await before(job)
    await failActive(queue, connection, job, reason)
  }
  for (;;) {
    const job = await hand.getNextJob('reaper', { block: false })
    if (job === undefined) return
    await before(job)
    await job.moveToFailed(new Error(reason), 'reaper', false)
  }
}

const notActive = /is not in the active state|Missing key/i

async function failActive<T>(queue: Queue<T>, connection: Redis, job: Job<T>, reason: string): Promise<void> {
  try {
    await job.moveToFailed(new Error(reason), '0', false)
  } catch (error) {
    // Another reaper was here, or the job ended after all.
    if (!(error instanceof Error) || !notActive.test(error.message)) throw error
  }
  await connection.del(`${queue.toKey(job.id ?? '')}:lock`)
}

/** Ends this turn of a job and has it taken again after `ms`. */
export async function comeBackLater(job: Job, token: string, ms: number): Promise<never> {
  await job.moveToDelayed(Date.now() + ms, token)
  throw new DelayedError()
}

/** Whether an error only says that a job's turn is over, as the two above and below do. */
export const isTurnOver = (error: unknown): boolean =>
  error instanceof DelayedError || error instanceof WaitingChildrenError

/** Ends this turn of a job until all its children are over; returns at once when they are. */
export async function waitForChildren(job: Job, token: string): Promise<void> {
  if (await job.moveToWaitingChildren(token)) throw new WaitingChildrenError()
}

/**
 * Adds a child to a run's job. A failed child is noted and ignored: the parent starts when all are over, however they
 * ended (without this it would wait for ever, or start at the first failure).
 */
export async function addChild<T>(queue: Queue<T>, parent: Job, id: string, name: string, data: T): Promise<void> {
  const options = {
    jobId: id,
    parent: { id: String(parent.id), queue: parent.queueQualifiedName },
    ignoreDependencyOnFailure: true,
  }
  await (queue as Queue).add(name, data, options)
}

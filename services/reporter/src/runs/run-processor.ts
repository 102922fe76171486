import { failureReason, stopReason, tellFailure } from '@onrush/fleet/control'
import { dropFrames } from '@onrush/fleet/frame-log'
import { isAlive, listNodes } from '@onrush/fleet/heartbeat'
import { jobRefused } from '@onrush/fleet/job-refused'
import { RunJob, type WorkerJob } from '@onrush/fleet/jobs'
import { names } from '@onrush/fleet/names'
import { addChild, comeBackLater, isTurnOver, type Job, openWorkerQueue, waitForChildren } from '@onrush/fleet/queues'
import type { OnRedisError, Redis } from '@onrush/fleet/redis'
import { giveUpWaiting, releaseWorker, reserveWorkers } from '@onrush/fleet/reservation'
import { changeRun, changeWorker, createRun, hasEnded, readRun } from '@onrush/fleet/run-store'
import { classes, dealShares, shareSize } from '@onrush/load/share'
import { OnrushError } from '@onrush/protocol/error'
import type { RunState, Verdict } from '@onrush/protocol/job'
import type { Report } from '@onrush/protocol/report'
import type { Log } from '@onrush/web/log'
import { headerOf, type MergeNeeds, mergeRun, type Taking } from './merge-run.ts'
import { shardEnds, shardJobId, teardownJobId } from './shard-ends.ts'

export interface ProcessorNeeds extends MergeNeeds {
  readonly redis: Redis
  readonly onRedisError: OnRedisError
  readonly log: Log
  /** The run is over and its record says so. */
  readonly onEnd: (job: RunJob, end: Ended) => Promise<void>
}

export interface Ended {
  readonly status: RunState
  readonly verdict?: Verdict | undefined
  readonly error?: string | undefined
  readonly report?: Report | undefined
}

/** How soon a run that waits for workers looks again. */
const waitMs = 500

/**
 * Brings a run from step to step. A step is done when the job's data say so; a reporter may die at any moment and another
 * begins the step again, so each step finds what the first attempt left and adds nothing twice.
 */
export class RunProcessor {
  readonly #needs: ProcessorNeeds
  readonly #waiting = new Map<string, string>()

  constructor(needs: ProcessorNeeds) {
    this.#needs = needs
  }

  async process(job: Job<unknown>, token: string): Promise<{ status: RunState; verdict?: Verdict | undefined }> {
    const checked = RunJob.safeParse(job.data)
    if (!checked.success) {
      const refused = jobRefused(job.data, 'this reporter')
      await changeRun(this.#needs.redis, String(job.id), { status: 'failed', error: refused.message, endedAt: now() })
      throw refused
    }
    const data = checked.data
    try {
      return await this.#step(job, data, token)
    } catch (error) {
      if (isTurnOver(error)) throw error
      this.#needs.log('error', 'a run cannot go on', { runId: data.plan.runId, step: data.step, error })
      const message = error instanceof Error ? error.message : String(error)
      // Shards may run already; they must not outlive their run.
      await tellFailure(this.#needs.redis, data.plan.runId, message)
      return await this.#end(data, { status: 'failed', error: message })
    }
  }

  async #step(job: Job<unknown>, data: RunJob, token: string) {
    const { redis } = this.#needs
    const { runId } = data.plan
    await createRun(redis, data.base)
    const record = await readRun(redis, runId)
    // A reporter died between the end and saying so to the queue.
    if (record !== undefined && hasEnded(record.status)) return { status: record.status, verdict: record.verdict }
    let step = data.step
    let taking = data.taking
    const advance = async (next: RunJob['step']) => {
      step = next
      await job.updateData({ ...data, taking, step })
    }
    if (step === 'allocate') {
      const ended = await this.#endedWhileWaiting(data)
      if (ended !== undefined) return await this.#end(data, ended)
      taking = await this.#allocate(job, data, token)
      await advance('dispatch')
    }
    if (taking === undefined) throw new OnrushError('internal', 'a run was dispatched to nobody')
    if (step === 'dispatch') {
      await this.#dispatch(job, data, taking)
      await advance('teardown')
      await waitForChildren(job, token)
    }
    if (step === 'teardown') {
      await changeRun(redis, runId, { status: 'gathering' }, ['starting', 'running'])
      if (data.plan.hasTeardown) await this.#teardown(job, data, taking)
      await advance('merge')
      await waitForChildren(job, token)
    }
    return await this.#merge(job, data, taking)
  }

  async #endedWhileWaiting({ plan: { runId }, base, startTimeoutMs }: RunJob): Promise<Ended | undefined> {
    const { redis } = this.#needs
    const failure = await failureReason(redis, runId)
    if (failure !== undefined) return { status: 'failed', error: failure }
    const stop = await stopReason(redis, runId)
    if (stop !== undefined) return { status: 'stopped', error: `${stop}, before it had workers` }
    const waited = Date.now() - Date.parse(base.createdAt)
    if (waited <= startTimeoutMs) return undefined
    const reason = this.#waiting.get(runId)
    if (reason === undefined && waited < startTimeoutMs + 60_000) return undefined
    return {
      status: 'failed',
      error: `it waited ${Math.round(waited / 1000)} s for workers, its startTimeout: ${reason ?? 'none could be reserved'}; start more workers, ask for fewer, or wait longer`,
    }
  }

  async #allocate(job: Job<unknown>, data: RunJob, token: string): Promise<Taking> {
    const { redis } = this.#needs
    const { runId } = data.plan
    const reserved = await reserveWorkers(redis, runId, data.workers)
    if (reserved.state === 'waiting') {
      if (this.#waiting.get(runId) !== reserved.reason) {
        this.#waiting.set(runId, reserved.reason)
        await changeRun(redis, runId, { waiting: reserved.reason }, ['queued'])
      }
      return await comeBackLater(job, token, waitMs)
    }
    this.#waiting.delete(runId)
    const nodes = new Map((await listNodes(redis)).map(({ record }) => [record.id, record]))
    const weights = reserved.workers.map(id => data.weights?.[id] ?? 1)
    if (weights.every(weight => weight === 0)) {
      throw new OnrushError('invalid', `every worker that was free has the weight 0: ${reserved.workers.join(', ')}`)
    }
    const shares = dealShares(weights)
    return reserved.workers.map((id, i) => {
      const share = shares[i] ?? []
      return {
        worker: { id, threads: nodes.get(id)?.threads ?? 1, share: shareSize(share) / classes },
        share: share.map(([first, step, count]) => [first, step, count] as [number, number, number]),
      }
    })
  }

  async #dispatch(job: Job<unknown>, data: RunJob, taking: Taking): Promise<void> {
    const { redis } = this.#needs
    const { plan } = data
    await changeRun(redis, plan.runId, { status: 'starting' }, ['queued'])
    const { source: _, ...simulation } = data.header.simulation
    const header = { ...headerOf(data, taking, undefined), simulation }
    for (const { worker } of taking) await changeWorker(redis, plan.runId, { id: worker.id, status: 'reserved' })
    await Promise.all(
      taking.map(({ worker, share }, shard) =>
        this.#give(job, worker.id, shardJobId(plan.runId, shard), {
          v: 1,
          kind: 'shard',
          plan,
          shard,
          of: taking.length,
          share,
          header,
        }),
      ),
    )
  }

  /** On a worker that is alive; where all are lost, what the setup made stays, and the report says so. */
  async #teardown(job: Job<unknown>, { plan }: RunJob, taking: Taking): Promise<void> {
    for (const { worker } of taking) {
      if (!(await isAlive(this.#needs.redis, worker.id))) continue
      await this.#give(job, worker.id, teardownJobId(plan.runId), { v: 1, kind: 'teardown', plan })
      return
    }
  }

  async #give(job: Job<unknown>, worker: string, id: string, data: WorkerJob): Promise<void> {
    const queue = openWorkerQueue<WorkerJob>(worker, this.#needs.redis, this.#needs.onRedisError)
    try {
      await addChild(queue, job, id, data.kind, data)
    } finally {
      await queue.close()
    }
  }

  async #merge(job: Job<unknown>, data: RunJob, taking: Taking) {
    const { redis } = this.#needs
    const { runId, hasTeardown } = data.plan
    const ends = await shardEnds(job)
    const teardown = ends.get(teardownJobId(runId))
    const teardownFailure =
      hasTeardown && teardown !== undefined && 'failure' in teardown ? teardown.failure : undefined
    const report = await mergeRun(this.#needs, data, taking, ends, teardownFailure)
    for (const { id, status, error } of report.workers) await changeWorker(redis, runId, { id, status, error })
    // A run that failed before anything was measured has nothing to judge.
    const verdict = report.status === 'failed' && report.frame === undefined ? undefined : report.verdict
    return await this.#end(data, { status: report.status, verdict, error: report.error, report }, taking)
  }

  async #end(data: RunJob, end: Ended, taking: Taking = data.taking ?? []) {
    const { redis, onEnd } = this.#needs
    const { runId } = data.plan
    const { status, verdict, error, report } = end
    this.#waiting.delete(runId)
    await giveUpWaiting(redis, runId)
    await changeRun(redis, runId, { status, verdict, error, endedAt: now(), totals: report?.totals })
    for (const { worker } of taking) await releaseWorker(redis, worker.id, runId)
    for (const shard of taking.keys()) await dropFrames(redis, runId, shard)
    await redis.del(names.ready(runId), names.setup(runId), names.shards(runId))
    await onEnd(data, end)
    return { status, verdict }
  }
}

const now = () => new Date().toISOString()

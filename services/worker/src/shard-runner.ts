import { setTimeout as sleep } from 'node:timers/promises'
import { runSetup, runTeardown } from '@onrush/engine/setup'
import { runShard } from '@onrush/engine/shard'
import { tellFailure } from '@onrush/fleet/control'
import { appendFrame, replaceFrames } from '@onrush/fleet/frame-log'
import type { RunPlan, ShardJob, ShardReturn, WorkerJob } from '@onrush/fleet/jobs'
import { channels, names } from '@onrush/fleet/names'
import { measureOffset } from '@onrush/fleet/redis-clock'
import { changeWorker } from '@onrush/fleet/run-store'
import type { Seal } from '@onrush/fleet/seal'
import { wholeShare } from '@onrush/load/share'
import { OnrushError } from '@onrush/protocol/error'
import type { Frame } from '@onrush/protocol/frame'
import type { JobWorker } from '@onrush/protocol/job'
import { Json } from '@onrush/protocol/json'
import type { EngineMonitorMessage } from '@onrush/protocol/monitor'
import { ShardPlan } from '@onrush/protocol/plan'
import type { TargetRules } from '@onrush/protocol/targets'
import type { Log } from '@onrush/web/log'
import type { BundleCache, Placed } from './bundle-cache.ts'
import type { EngineSlot } from './engine-slot.ts'
import { FrameKeeper } from './frame-keeper.ts'
import { endOfShard } from './shard-end.ts'
import { ShardLog } from './shard-log.ts'
import { awaitStart, type StartGate } from './start-gate.ts'
import { TraceBatch } from './trace-batch.ts'

export interface ShardRunnerNeeds extends StartGate {
  readonly worker: string
  readonly threads: number
  readonly slot: EngineSlot
  readonly cache: BundleCache
  readonly logFolder: string
  /** Opens what queues must not show. */
  readonly seal: Seal
  /** Where this host may send to. No part of a job, which others write. */
  readonly targets: TargetRules
  /** Local listeners: this worker's own monitor. */
  readonly onMessage: (message: EngineMonitorMessage) => void
  readonly log: Log
}

const setupKeepSeconds = 7 * 86_400

interface Began {
  readonly startedAt: number
  readonly clockError: number
}

/** As the threads read it: steady, and the same for the whole process. */
const now = () => performance.timeOrigin + performance.now()

/** Executes what comes on this worker's queue. */
export class ShardRunner {
  readonly #needs: ShardRunnerNeeds

  constructor(needs: ShardRunnerNeeds) {
    this.#needs = needs
  }

  async execute(job: WorkerJob): Promise<ShardReturn | null> {
    if (job.kind === 'shard') return await this.#shard(job)
    await this.#teardown(job.plan)
    return null
  }

  async #teardown(run: RunPlan): Promise<void> {
    await this.#needs.cache.with(run.contents, new AbortController().signal, async placed =>
      runTeardown(this.#planOf(run, wholeShare, placed), await this.#setupResult(run.runId), {
        targets: this.#needs.targets,
      }),
    )
  }

  async #shard(job: ShardJob): Promise<ShardReturn> {
    const { slot, log, worker } = this.#needs
    const { runId } = job.plan
    slot.claim(runId)
    this.#say(runId, 'preparing')
    const ending = new AbortController()
    try {
      const returned = await this.#run(job, ending)
      const ended = returned.result.stopped === undefined ? 'finished' : 'stopped'
      slot.free(ended)
      this.#say(runId, ended)
      return returned
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      log('error', 'a shard failed', { runId, shard: job.shard, error })
      const hadStarted = slot.view.startedAt !== undefined
      slot.free('failed', message)
      this.#say(runId, 'failed', message)
      // The others wait at the barrier for a shard that will not come.
      if (!hadStarted && !ending.signal.aborted) await tellFailure(this.#needs.redis, runId, `${worker}: ${message}`)
      throw error
    }
  }

  /** For the run's record; what it says is repeated by the shard's own end, so it is not waited for. */
  #say(runId: string, status: JobWorker['status'], error?: string): void {
    const { redis, worker, log } = this.#needs
    const told = changeWorker(redis, runId, { id: worker, status, ...(error === undefined ? {} : { error }) })
    told.catch((cause: unknown) => log('warn', 'the run was not told how this worker is', { runId, error: cause }))
  }

  async #run(job: ShardJob, ending: AbortController): Promise<ShardReturn> {
    const { slot } = this.#needs
    let stoppedBefore: string | undefined
    // Until the engine has the shard, a stop ends its preparation.
    const early = (reason: string) => {
      stoppedBefore = reason
      ending.abort()
    }
    slot.hold({ stop: early, abort: early })
    return await this.#needs.cache.with(job.plan.contents, ending.signal, async placed => {
      const plan = this.#planOf(job.plan, job.share, placed)
      if (job.plan.hasSetup && job.shard === 0) await this.#setup(plan)
      if (stoppedBefore !== undefined) throw new OnrushError('conflict', `stopped before the start: ${stoppedBefore}`)
      return await this.#execute(job, plan, ending)
    })
  }

  async #execute(job: ShardJob, plan: ShardPlan, ending: AbortController): Promise<ShardReturn> {
    const { slot, worker, logFolder } = this.#needs
    const { runId } = job.plan
    const shardLog = await ShardLog.open(logFolder, runId)
    shardLog.write(job.header)
    let began: Promise<Began> | undefined
    const keeper = new FrameKeeper(this.#store(runId, job.shard), () =>
      slot.abort('this worker was taken for dead', runId),
    )
    const traces = new TraceBatch(worker, message => this.#publish(message, runId))
    const shard = runShard(plan, {
      targets: this.#needs.targets,
      onReady: async () => {
        slot.enter('ready')
        this.#say(runId, 'ready')
        const at = await this.#start(job, ending.signal)
        began = this.#begin(at)
        slot.enter('running')
        this.#say(runId, 'running')
        return { at, setup: await this.#setupResult(runId) }
      },
      onFrame: frame => {
        shardLog.write(frame)
        keeper.keep(frame)
        this.#publish({ type: 'frame', worker, frame }, runId)
      },
      onTrace: (session, event) => traces.add(session, event),
    })
    slot.hold({
      stop: reason => {
        ending.abort()
        shard.stop(reason)
      },
      abort: reason => {
        ending.abort()
        shard.abort(reason)
      },
    })
    try {
      const result = await shard.result
      traces.flush()
      await keeper.flush()
      shardLog.write(endOfShard(worker, result, new Date()))
      const { startedAt = 0, clockError = 0 } = (await began) ?? {}
      return { v: 1, shard: job.shard, worker, result, startedAt, clockError }
    } finally {
      const problem = await shardLog.close()
      if (problem !== undefined)
        this.#needs.log('error', 'the run log could not be written whole', { runId, error: problem })
    }
  }

  /** The common instant on our own clock. Redis's clock is compared by round trips: hosts' wall clocks differ. */
  async #start(job: ShardJob, signal: AbortSignal): Promise<number> {
    const { offset } = await measureOffset(this.#needs.redis, now)
    return (await awaitStart(this.#needs, job.plan.runId, job.shard, job.of, signal)) - offset
  }

  /**
   * When this process really woke for the start, in Redis's time by a second comparison of the clocks: what the first one
   * got wrong shows as skew instead of hiding in it.
   */
  async #begin(at: number): Promise<Began> {
    await sleep(Math.max(0, at - now()))
    const woke = now()
    const { offset, error } = await measureOffset(this.#needs.redis, now)
    return { startedAt: woke + offset, clockError: error }
  }

  #planOf(run: RunPlan, share: ShardJob['share'] | typeof wholeShare, { bundle, files }: Placed): ShardPlan {
    const { worker, threads } = this.#needs
    const { populations, throttle, environment, env, variables, seed, limits, runId, verbose } = run
    return ShardPlan.parse({
      runId,
      worker,
      simulation: { bundle, hash: run.contents.bundle.hash },
      populations,
      ...(throttle === undefined ? {} : { throttle }),
      ...(environment === undefined ? {} : { environment }),
      env: this.#needs.seal.openEnvironment(env),
      variables,
      seed,
      share,
      threads,
      files,
      limits,
      verbose,
    })
  }

  async #setup(plan: ShardPlan): Promise<void> {
    const result = await runSetup(plan, { targets: this.#needs.targets })
    await this.#needs.redis.set(names.setup(plan.runId), JSON.stringify(result), 'EX', setupKeepSeconds)
  }

  /** The first shard stores it before it is ready, so it is there when all are. */
  async #setupResult(runId: string): Promise<Json> {
    const text = await this.#needs.redis.get(names.setup(runId))
    return text === null ? null : Json.parse(JSON.parse(text))
  }

  #store(runId: string, shard: number) {
    const { redis } = this.#needs
    return {
      append: (frame: Frame) => appendFrame(redis, runId, shard, frame),
      replace: (count: number, frame: Frame) => replaceFrames(redis, runId, shard, count, frame),
    }
  }

  /** Live messages are for watching: while Redis is away they are skipped, not queued. */
  #publish(message: EngineMonitorMessage, runId: string): void {
    const { redis, onMessage, log } = this.#needs
    onMessage(message)
    if (redis.status !== 'ready') return
    redis.publish(channels.monitor(runId), JSON.stringify(message)).catch((error: unknown) => {
      log('warn', 'a live message was not published', { error })
    })
  }
}

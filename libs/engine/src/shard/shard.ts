import type { Share } from '@onrush/load/share'
import { allocateMemory } from '@onrush/metrics/memory'
import { ShardFrames } from '@onrush/metrics/shard-frames'
import { Totals } from '@onrush/metrics/totals'
import { OnrushError } from '@onrush/protocol/error'
import type { Frame } from '@onrush/protocol/frame'
import type { Json } from '@onrush/protocol/json'
import type { ShardPlan, ShardResult, ThreadCrash } from '@onrush/protocol/plan'
import type { TargetRules } from '@onrush/protocol/targets'
import { RunClock } from '../session/run-clock.ts'
import type { TraceEvent } from '../session/trace.ts'
import { balance } from './balance.ts'
import { PlannedArrivals } from './planned-arrivals.ts'
import { ShardThread } from './shard-thread.ts'
import { StuckThreads } from './stuck-threads.ts'
import { ThreadPool } from './thread-pool.ts'
import { within } from './within.ts'

export interface StartSignal {
  /** Unix time in milliseconds; fractions count. */
  at: number
  /** What `setup` returned, for all sessions. */
  setup?: Json | undefined
}

export interface ShardHooks {
  /** All threads are prepared: answers when to begin. Rejecting it, or an answer after the limit, ends the shard. */
  onReady: () => StartSignal | Promise<StartSignal>
  /** Once a second, and once more at the end, what was counted since. */
  onFrame?: ((frame: Frame) => void) | undefined
  /** A thread died. The others go on; the part of the plan that was its own is missed. */
  onCrash?: ((crash: ThreadCrash) => void) | undefined
  /** Of a verbose plan: what happens in a session, as far as there is room. */
  onTrace?: ((session: string, event: TraceEvent) => void) | undefined
  /** Something a person should know while it runs; the result's notes say it again. */
  onNote?: ((note: string) => void) | undefined
  /** Where this host may send to; everywhere where it is not set. No part of the plan, which others write. */
  targets?: TargetRules | undefined
}

export interface RunningShard {
  /** Rejects when it cannot be prepared or started, or when all threads died. */
  readonly result: Promise<ShardResult>
  /** No new sessions; those that run end with their pass, or when the grace is over. */
  stop(reason: string): void
  /** Everything ends at once. */
  abort(reason: string): void
  /** From `at` (ms since the start, in the future) on, this shard owns another share. */
  reassign(share: Share, at: number): void
}

/** How long interrupted sessions and their threads may take to end before force is used. */
const lastMs = 5000

/** Runs one shard on threads of this process. */
export function runShard(plan: ShardPlan, hooks: ShardHooks): RunningShard {
  return new Shard(plan, hooks)
}

class Shard implements RunningShard {
  readonly result: Promise<ShardResult>
  readonly #plan: ShardPlan
  readonly #hooks: ShardHooks
  readonly #clock = new RunClock()
  readonly #planned: PlannedArrivals
  readonly #pool: ThreadPool
  readonly #threads: ShardThread[]
  readonly #stuck: StuckThreads
  readonly #frames: ShardFrames
  readonly #totals = new Totals()
  readonly #stopping = Promise.withResolvers<never>()
  #phase: 'preparing' | 'running' | 'over' = 'preparing'
  #stopped: ShardResult['stopped'] = undefined
  #pulse: NodeJS.Timeout | undefined = undefined
  #deadline: NodeJS.Timeout | undefined = undefined
  #forcedBy = Number.POSITIVE_INFINITY

  constructor(plan: ShardPlan, hooks: ShardHooks) {
    this.#plan = plan
    this.#hooks = hooks
    this.#planned = new PlannedArrivals(plan)
    // Raced against where the preparation waits; a stop at any other time has nobody listening.
    this.#stopping.promise.catch(() => undefined)
    this.#pool = new ThreadPool(plan.threads, plan.limits.threadMemoryMb, hooks.targets)
    const memories = Array.from({ length: plan.threads }, () => allocateMemory())
    this.#frames = new ShardFrames({ run: plan.runId, shard: plan.worker, memories })
    this.#threads = memories.map((memory, thread) => {
      const task = this.#pool.start({ kind: 'slice', plan, thread, memory })
      return new ShardThread(thread, memory, task, {
        now: () => Math.max(-1, this.#clock.now()),
        onSample: sample => this.#frames.addSample(sample),
        onCrash: crash => hooks.onCrash?.(crash),
        onTrace: (session, event) => hooks.onTrace?.(session, event),
      })
    })
    this.#stuck = new StuckThreads(this.#threads, plan.limits.stuckMs)
    this.result = this.#run()
  }

  stop(reason: string): void {
    this.#end(reason, { type: 'stop', graceMs: this.#plan.limits.graceMs }, this.#plan.limits.graceMs + lastMs)
  }

  abort(reason: string): void {
    this.#end(reason, { type: 'abort' }, lastMs)
  }

  reassign(share: Share, at: number): void {
    if (this.#phase !== 'running' || at <= this.#clock.now()) {
      throw new OnrushError('conflict', 'expected a change of ownership at an instant to come, of a shard that runs')
    }
    this.#planned.reassign(share, at)
    for (const thread of this.#threads) thread.tell({ type: 'reassign', share, at })
  }

  async #run(): Promise<ShardResult> {
    try {
      const signal = await this.#prepared()
      this.#begin(signal)
      await Promise.all(this.#threads.map(thread => thread.over))
      return this.#finish()
    } finally {
      this.#phase = 'over'
      clearTimeout(this.#pulse)
      clearTimeout(this.#deadline)
      await this.#pool.end()
    }
  }

  async #prepared(): Promise<StartSignal> {
    const { prepareMs, startMs } = this.#plan.limits
    const ready = Promise.all(this.#threads.map(thread => thread.ready))
    await within(prepareMs, 'preparing the threads', Promise.race([ready, this.#stopping.promise]))
    const signal = Promise.resolve().then(() => this.#hooks.onReady())
    return await within(startMs, 'waiting for the start signal', Promise.race([signal, this.#stopping.promise]))
  }

  #begin({ at, setup = null }: StartSignal): void {
    this.#phase = 'running'
    this.#clock.begin(at)
    for (const thread of this.#threads) thread.tell({ type: 'start', at, setup })
    const { overrunMs, graceMs } = this.#plan.limits
    const end = this.#planned.endsAt + overrunMs + graceMs + lastMs
    this.#force(end - this.#clock.now(), 'it did not end in time after its plan')
    this.#beat(1)
  }

  /** One frame for each whole second, however late the timer comes. */
  #beat(second: number): void {
    const wait = Math.max(0, second * 1000 - this.#clock.now())
    this.#pulse = setTimeout(() => {
      this.#take({ final: false })
      for (const note of this.#stuck.look(this.#clock.now())) this.#hooks.onNote?.(note)
      this.#beat(Math.max(second, Math.floor(this.#clock.now() / 1000)) + 1)
    }, wait)
  }

  #take(options: { final: boolean }): void {
    const frame = this.#frames.take(Math.max(0, this.#clock.now()), options)
    this.#totals.add(frame)
    this.#hooks.onFrame?.(frame)
  }

  #end(reason: string, message: { type: 'stop'; graceMs: number } | { type: 'abort' }, waitMs: number): void {
    if (this.#phase === 'over') return
    if (this.#phase === 'preparing') {
      this.#stopping.reject(new OnrushError('conflict', `stopped before the start: ${reason}`))
      return
    }
    this.#stopped ??= { at: this.#clock.now(), reason }
    for (const thread of this.#threads) thread.tell(message)
    this.#force(waitMs, `it did not end within ${waitMs} ms of being told to ${message.type}`)
  }

  /** The last rung of the ladder, for threads that hear no message any more. Asking again never puts it off. */
  #force(waitMs: number, why: string): void {
    const by = this.#clock.now() + waitMs
    if (by >= this.#forcedBy) return
    this.#forcedBy = by
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(
      () => {
        for (const thread of this.#threads) thread.kill(`${why}: it was ended by force`)
      },
      Math.min(waitMs, 2 ** 31 - 1),
    )
  }

  #finish(): ShardResult {
    clearTimeout(this.#pulse)
    this.#take({ final: true })
    const crashes = this.#threads.flatMap(({ crash }) => (crash === undefined ? [] : [crash]))
    const first = crashes[0]
    if (first !== undefined && crashes.length === this.#threads.length && this.#stopped === undefined) {
      const died = crashes.length === 1 ? 'the only thread died' : `all ${crashes.length} threads died`
      throw new OnrushError('run_failed', `${died}: ${first.message}`)
    }
    const totals = this.#totals.toFrame()
    const notes = [...new Set([...this.#stuck.notes, ...this.#threads.flatMap(thread => thread.notes)])]
    return {
      totals,
      elapsedMs: Math.max(0, this.#clock.now()),
      ...balance(this.#planned, totals.counts.populations, crashes.length > 0),
      crashes,
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
      notes,
    }
  }
}

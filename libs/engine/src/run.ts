import { availableParallelism } from 'node:os'
import { type LoadOverride, populationsOf } from '@onrush/load/populations'
import { wholeShare } from '@onrush/load/share'
import { foldFrames } from '@onrush/metrics/frame'
import { generatorVerdict } from '@onrush/metrics/generator-verdict'
import { ThresholdMonitor } from '@onrush/metrics/threshold-monitor'
import { Totals } from '@onrush/metrics/totals'
import { durationMs } from '@onrush/protocol/duration'
import { OnrushError } from '@onrush/protocol/error'
import type { Frame } from '@onrush/protocol/frame'
import type { Json } from '@onrush/protocol/json'
import type { Throttle } from '@onrush/protocol/load'
import { ShardPlan, type ShardResult, type SimulationSource, type ThreadCrash } from '@onrush/protocol/plan'
import type { Environment, Simulation } from '@onrush/protocol/simulation'
import { sqlBudget, sqlBudgetLines } from '@onrush/protocol/sql-budget'
import type { GeneratorVerdict, ThresholdResult } from '@onrush/protocol/summary'
import type { Thresholds } from '@onrush/protocol/threshold'
import { limitWarnings, readMachineLimits } from './limits.ts'
import { runSetup, runTeardown } from './shard/hooks.ts'
import { type RunningShard, runShard } from './shard/shard.ts'

/** A simulation that has been loaded and checked. Its functions, if it has any, are in the bundle. */
export interface Loaded {
  readonly simulation: Simulation
  readonly source: SimulationSource
  /** A name in the script to where the file lies. */
  readonly files?: Readonly<Record<string, string>> | undefined
  /** Where the simulation's data does not show its functions; by default it does. */
  readonly hasSetup?: boolean | undefined
  readonly hasTeardown?: boolean | undefined
}

export interface RunOptions {
  readonly runId: string
  readonly worker?: string | undefined
  /** Default: one per core less one, at least one. */
  readonly threads?: number | undefined
  readonly environment?: string | undefined
  readonly env?: Environment | undefined
  readonly variables?: Readonly<Record<string, Json>> | undefined
  readonly load?: LoadOverride | undefined
  readonly throttle?: Throttle | undefined
  readonly thresholds?: Thresholds | undefined
  readonly seed?: number | undefined
  readonly limits?: Partial<ShardPlan['limits']> | undefined
}

export type RunPhase = 'setup' | 'preparing' | 'running' | 'draining' | 'teardown'

export interface RunHooks {
  onPhase?: ((phase: RunPhase) => void) | undefined
  /** Something a person should know while it runs, or before. */
  onWarning?: ((warning: string) => void) | undefined
  onFrame?: ((frame: Frame, thresholds: readonly ThresholdResult[]) => void) | undefined
}

/** What ended a run: its plan, a person, a threshold that aborts, or the generator itself. */
export type RunCause = 'completed' | 'stopped' | 'threshold' | 'crashed'

export interface RunResult {
  readonly plan: ShardPlan
  readonly cause: RunCause
  /** Unix times in milliseconds; the end is that of the load. */
  readonly startedAt: number
  readonly endedAt: number
  readonly shard: ShardResult
  readonly totals: Totals
  /** What the report's charts are drawn from: one per second, and of a long run one for every few. */
  readonly frames: readonly Frame[]
  readonly thresholds: readonly ThresholdResult[]
  readonly generator: GeneratorVerdict
  readonly verdict: 'passed' | 'failed' | 'invalid'
  readonly warnings: readonly string[]
  readonly setup: Json
}

export interface RunningLocal {
  readonly plan: ShardPlan
  readonly result: Promise<RunResult>
  stop(reason: string): void
  abort(reason: string): void
}

/** Threads need some milliseconds to hear the start signal; all of them begin at the same instant. */
const startMarginMs = 50

/** A chart cannot show more, and a day of seconds would not fit in memory. */
const mostFrames = 1800

function foldedInPairs(frames: readonly Frame[]): Frame[] {
  return Array.from({ length: Math.ceil(frames.length / 2) }, (_, i) => foldFrames(frames.slice(2 * i, 2 * i + 2)))
}

/** The plan of a whole run on this machine. */
export function localPlan({ simulation, source, files }: Loaded, options: RunOptions): ShardPlan {
  const { throttle = simulation.throttle, environment } = options
  return ShardPlan.parse({
    runId: options.runId,
    worker: options.worker ?? 'local',
    simulation: source,
    populations: populationsOf(simulation, options.load),
    ...(throttle === undefined ? {} : { throttle }),
    ...(environment === undefined ? {} : { environment }),
    env: options.env ?? {},
    variables: options.variables ?? {},
    seed: options.seed ?? simulation.seed ?? Math.floor(Math.random() * 2 ** 31),
    share: wholeShare,
    threads: options.threads ?? Math.max(1, availableParallelism() - 1),
    files: files ?? {},
    limits: options.limits ?? {},
  })
}

/** Runs a whole simulation on this machine: setup, load, thresholds, teardown. */
export function runLocal(loaded: Loaded, options: RunOptions, hooks: RunHooks = {}): RunningLocal {
  return new LocalRun(loaded, options, hooks)
}

class LocalRun implements RunningLocal {
  readonly plan: ShardPlan
  readonly result: Promise<RunResult>
  readonly #loaded: Loaded
  readonly #hooks: RunHooks
  readonly #monitor: ThresholdMonitor
  readonly #totals = new Totals()
  #frames: Frame[] = []
  readonly #warnings: string[] = []
  #shard: RunningShard | undefined = undefined
  #cause: RunCause = 'completed'
  #early: string | undefined = undefined
  #startedAt = 0
  #isTornDown = false

  constructor(loaded: Loaded, options: RunOptions, hooks: RunHooks) {
    this.plan = localPlan(loaded, options)
    this.#loaded = loaded
    this.#hooks = hooks
    this.#monitor = new ThresholdMonitor(options.thresholds ?? loaded.simulation.thresholds ?? {})
    this.result = this.#run()
  }

  stop(reason: string): void {
    this.#ended('stopped', reason)
    this.#shard?.stop(reason)
  }

  abort(reason: string): void {
    this.#ended('stopped', reason)
    this.#shard?.abort(reason)
  }

  #ended(cause: RunCause, reason: string): void {
    if (this.#cause === 'completed') this.#cause = cause
    this.#early ??= reason
    if (this.#shard !== undefined) this.#hooks.onPhase?.('draining')
  }

  async #run(): Promise<RunResult> {
    // The caller has its handle before the first hook is called.
    await null
    const { plan } = this
    const connectionsPerSession = this.#loaded.simulation.http?.connections === 'per-session'
    for (const warning of limitWarnings(plan, await readMachineLimits(), { connectionsPerSession })) this.#warn(warning)
    for (const line of sqlBudgetLines(sqlBudget(this.#loaded.simulation.sql, plan.threads)))
      this.#hooks.onWarning?.(line)
    const { hasSetup = this.#loaded.simulation.setup !== undefined } = this.#loaded
    const setup = hasSetup ? await this.#setup() : null
    try {
      const shard = await this.#load(setup)
      await this.#teardown(setup)
      return this.#resultOf(shard, setup)
    } catch (error) {
      if (!this.#isTornDown) await this.#teardown(setup)
      throw error
    }
  }

  /** Its failure is said, but takes nothing from what was measured. */
  async #teardown(setup: Json): Promise<void> {
    this.#isTornDown = true
    const { hasTeardown = this.#loaded.simulation.teardown !== undefined } = this.#loaded
    if (!hasTeardown) return
    this.#hooks.onPhase?.('teardown')
    try {
      await runTeardown(this.plan, setup)
    } catch (error) {
      if (!(error instanceof OnrushError)) throw error
      this.#warn(error.message)
    }
  }

  async #setup(): Promise<Json> {
    this.#hooks.onPhase?.('setup')
    return await runSetup(this.plan)
  }

  async #load(setup: Json): Promise<ShardResult> {
    if (this.#early !== undefined) throw new OnrushError('conflict', `stopped before the start: ${this.#early}`)
    this.#hooks.onPhase?.('preparing')
    this.#shard = runShard(this.plan, {
      onReady: () => {
        this.#startedAt = performance.timeOrigin + performance.now() + startMarginMs
        this.#hooks.onPhase?.('running')
        return { at: this.#startedAt, setup }
      },
      onFrame: frame => this.#count(frame),
      onCrash: crash => this.#crashed(crash),
      onNote: note => this.#warn(note),
    })
    return await this.#shard.result
  }

  #count(frame: Frame): void {
    this.#frames.push(frame)
    if (this.#frames.length > mostFrames) this.#frames = foldedInPairs(this.#frames)
    this.#totals.add(frame)
    this.#monitor.add(frame)
    const failed = this.#monitor.aborting()
    if (failed !== undefined && this.#cause === 'completed') {
      this.#ended('threshold', `the threshold ${failed.metric} ${failed.check} has failed`)
      this.#shard?.stop(`the threshold ${failed.metric} ${failed.check} has failed`)
    }
    this.#hooks.onFrame?.(frame, this.#monitor.results())
  }

  #crashed({ thread, message }: ThreadCrash): void {
    this.#warn(`thread ${thread} died: ${message}${this.plan.threads > 1 ? '; the others go on' : ''}`)
  }

  #warn(warning: string): void {
    this.#warnings.push(warning)
    this.#hooks.onWarning?.(warning)
  }

  #resultOf(shard: ShardResult, setup: Json): RunResult {
    const { lagP99, missed: missedShare } = this.#loaded.simulation.generator ?? {}
    const missed = shard.books.reduce((sum, book) => sum + book.missed, 0)
    const measured = generatorVerdict(this.#totals, {
      missed,
      limits: {
        ...(lagP99 === undefined ? {} : { sendLagMs: durationMs(lagP99) }),
        ...(missedShare === undefined ? {} : { missedShare }),
      },
    })
    const broken = [
      ...shard.crashes.map(({ thread, message }) => `thread ${thread} died: ${message}`),
      ...shard.imbalances,
    ]
    const reasons = [...measured.reasons, ...broken]
    const generator = { ...measured, valid: reasons.length === 0, reasons }
    const thresholds = this.#monitor.results({ final: true })
    const failed = thresholds.some(({ passed }) => !passed)
    for (const note of shard.notes) if (!this.#warnings.includes(note)) this.#warn(note)
    return {
      plan: this.plan,
      cause: this.#cause === 'completed' && shard.crashes.length > 0 ? 'crashed' : this.#cause,
      startedAt: this.#startedAt,
      endedAt: this.#startedAt + shard.elapsedMs,
      shard,
      totals: this.#totals,
      frames: this.#frames,
      thresholds,
      generator,
      verdict: !generator.valid ? 'invalid' : failed ? 'failed' : 'passed',
      warnings: this.#warnings,
      setup,
    }
  }
}

import { startInstant } from '@onrush/fleet/barrier'
import { tellFailure, tellStop } from '@onrush/fleet/control'
import { readFrames } from '@onrush/fleet/frame-log'
import type { RunJob } from '@onrush/fleet/jobs'
import type { Redis } from '@onrush/fleet/redis'
import { changeRun, hasEnded } from '@onrush/fleet/run-store'
import type { Frame } from '@onrush/protocol/frame'
import type { Job } from '@onrush/protocol/job'
import type { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import type { TraceMessage } from '@onrush/protocol/trace'
import { RunAccount } from '@onrush/report/run-account'
import type { ClientSocket } from '@onrush/web/listen'
import type { Log } from '@onrush/web/log'
import { inTurns } from '../runs/in-turns.ts'
import { headerOf } from '../runs/merge-run.ts'
import { isAddedUp, LatestSeconds } from './latest-seconds.ts'
import type { LiveLog } from './live-log.ts'
import { soFar } from './so-far.ts'
import { Watchers } from './watchers.ts'

export interface LiveNeeds {
  readonly redis: Redis
  /** The run's job, for who takes part; nothing for a run that a worker executes alone. */
  readonly jobOf: (runId: string) => Promise<RunJob | undefined>
  readonly liveLog: LiveLog
  readonly now: () => number
  readonly log: Log
}

/** Beyond its plan, its overrun, its grace and what ending by force takes, a run is one that hangs. */
const lastMs = 20_000

/** One run as this reporter sees it while it goes on: adds up what its workers publish, and tells everyone who watches. */
export class LiveRun {
  readonly runId: string
  /** Whether keeping the run's record, thresholds and limits is this reporter's duty. */
  following = false
  readonly #needs: LiveNeeds
  readonly #watchers: Watchers
  #arriving = 0
  #opening: Promise<void> | undefined
  readonly #seconds = new LatestSeconds()
  #early: Frame[] | undefined = []
  #account: RunAccount | undefined
  #job: RunJob | undefined
  #record: Job
  #startedAt: number | undefined
  #toldStatus: Job['status'] | undefined
  #ending = false
  /** Followed from the first second on, without a gap and without seconds added up before they came here. */
  #isWhole = true

  constructor(record: Job, needs: LiveNeeds) {
    this.runId = record.runId
    this.#record = record
    this.#needs = needs
    this.#watchers = new Watchers(needs.now)
  }

  /** Somebody watches it, or is about to. */
  get isWatched(): boolean {
    return this.#arriving > 0 || this.#watchers.count > 0
  }

  /** Stays open for whoever is on the way while `arrive` goes on. */
  async welcome(arrive: () => Promise<void>): Promise<void> {
    this.#arriving++
    try {
      await arrive()
    } finally {
      this.#arriving--
    }
  }

  get hasEnded(): boolean {
    return hasEnded(this.#record.status)
  }

  /** A published frame. What comes before the account is open waits for it. */
  take(frame: Frame): void {
    if (this.#early !== undefined) this.#early.push(frame)
    else this.#add(frame)
  }

  /** What a verbose run tells of its sessions goes on to who watches, and is kept nowhere. */
  show(message: TraceMessage): void {
    this.#watchers.send(message)
  }

  watch(socket: ClientSocket): void {
    this.#watchers.add(socket, this.#snapshot())
    if (this.hasEnded) this.#watchers.dismiss()
  }

  unwatch(socket: ClientSocket): void {
    this.#watchers.remove(socket)
  }

  /** Once a second: looks at the record, does what following it takes, and tells the clients. */
  async tick(record: Job): Promise<void> {
    this.#record = record
    if (record.status !== 'queued' && this.#account === undefined) {
      // Whoever comes to watch looks beside the look at all runs.
      this.#opening ??= this.#open().finally(() => {
        this.#opening = undefined
      })
      await this.#opening
    }
    if (this.following && !this.hasEnded) await this.#follow(record)
    this.#tell()
  }

  tickFeeds(): void {
    this.#watchers.tick()
  }

  /**
   * What was seen live, where it is all there is: of each worker as many seconds as it counted, each for itself, and all of
   * them written down. Then nothing has to be fetched and added up once more.
   */
  completeAccount(seconds: ReadonlyMap<string, number>): RunAccount | undefined {
    const account = this.#account
    if (!this.#isWhole || account === undefined || account.totals.isEmpty) return undefined
    const seen = new Map(
      account.totals.toFrame().covers.map(([worker, ranges]) => [worker, ranges.length === 1 ? ranges[0] : undefined]),
    )
    const wanted = [...seconds].filter(([, count]) => count > 0)
    if (seen.size !== wanted.length) return undefined
    for (const [worker, count] of wanted) {
      const [first, last] = seen.get(worker) ?? []
      if (first !== 1 || last !== count) return undefined
    }
    return account
  }

  #add(frame: Frame): void {
    if (this.#account?.add(frame) !== 'merged') return
    if (this.following) this.#needs.liveLog.write(this.runId, [frame])
    else this.#isWhole = false
    if (isAddedUp(frame)) this.#isWhole = false
    else this.#seconds.add(frame)
  }

  /**
   * What was counted before we came lies on our disk (if we followed the run before) and in Redis, where older seconds are
   * added up. It goes in before the frames that came meanwhile: one that is in an added-up frame already counts once.
   */
  async #open(): Promise<void> {
    const { redis, jobOf, liveLog } = this.#needs
    this.#job ??= await jobOf(this.runId)
    const taking = this.#job?.taking
    if (this.#job === undefined || taking === undefined) return
    this.#startedAt = await startInstant(redis, this.runId)
    const header = headerOf(this.#job, taking, this.#startedAt)
    const account = new RunAccount(header)
    const logged = await liveLog.read(this.runId)
    await inTurns(logged?.frames ?? [], frame => account.add(frame))
    if (this.following && logged === undefined) liveLog.write(this.runId, [header])
    else this.#isWhole = false
    this.#account = account
    for (const shard of taking.keys()) {
      await inTurns(await readFrames(redis, this.runId, shard), frame => this.#add(frame))
    }
    const early = this.#early ?? []
    this.#early = undefined
    for (const frame of early) this.#add(frame)
  }

  async #follow(record: Job): Promise<void> {
    const { redis, log } = this.#needs
    this.#startedAt ??= await startInstant(redis, this.runId)
    if (this.#startedAt !== undefined && record.status === 'starting') await this.#begun(this.#startedAt)
    const lost = this.#ending ? undefined : record.workers.find(({ status }) => status === 'lost')
    if (lost !== undefined && (this.#startedAt === undefined || this.#job?.onWorkerLoss === 'fail')) {
      this.#ending = true
      const when = this.#startedAt === undefined ? ', before the start' : ''
      await tellFailure(redis, this.runId, `${lost.error ?? `worker ${lost.id} was lost`}${when}`)
    }
    const account = this.#account
    if (account === undefined) return
    if (!account.totals.isEmpty) {
      await changeRun(redis, this.runId, { totals: account.soFar(account.totals.elapsedMs).totals }, ['running'])
    }
    if (this.#ending) return
    const broken = account.aborting()
    if (broken !== undefined) {
      this.#ending = true
      log('info', 'a threshold ends a run', { runId: this.runId, metric: broken.metric, check: broken.check })
      await tellStop(redis, this.runId, `the threshold ${broken.metric} ${broken.check} has failed`)
    }
    if (await this.#isOverdue()) {
      this.#ending = true
      log('error', 'a run outlives its plan and is ended', { runId: this.runId })
      await tellFailure(redis, this.runId, 'it did not end within 30 s and its grace after its plan')
    }
  }

  async #begun(at: number): Promise<void> {
    const { redis } = this.#needs
    const startedAt = new Date(at).toISOString()
    if (await changeRun(redis, this.runId, { status: 'running', startedAt }, ['starting'])) {
      this.#record = { ...this.#record, status: 'running', startedAt }
    }
  }

  async #isOverdue(): Promise<boolean> {
    const { durationMs } = this.#record.plan
    if (this.#startedAt === undefined || durationMs === null || this.#job === undefined) return false
    const { overrunMs, graceMs } = this.#job.plan.limits
    const [seconds] = await this.#needs.redis.time()
    return Number(seconds) * 1000 - this.#startedAt > durationMs + overrunMs + graceMs + lastMs
  }

  #snapshot(): JobMonitorMessage {
    const account = this.#account
    return {
      type: 'snapshot',
      job: this.#record,
      ...(account === undefined ? {} : { header: account.header }),
      plan: account?.plan() ?? { ...this.#record.plan, populations: [], rate: [], users: [] },
      series: account?.course() ?? [],
      stepSeries: account?.stepCourses() ?? [],
      ...soFar(account, this.#record.workers),
    }
  }

  #tell(): void {
    const { status, workers } = this.#record
    if (this.#watchers.count > 0 && !this.hasEnded && this.#account !== undefined) {
      const stands = soFar(this.#account, workers)
      const point = this.#seconds.point(stands.summary.sessions.active)
      this.#watchers.send({
        type: 'second',
        runId: this.runId,
        status,
        workers,
        ...(point === undefined ? {} : { point }),
        stepPoints: this.#account.stepCourses(2),
        ...stands,
      })
    }
    if (status !== this.#toldStatus) this.#watchers.send({ type: 'state', job: this.#record })
    this.#toldStatus = status
    if (this.hasEnded) this.#watchers.dismiss()
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { giveLease, takeLease } from '@onrush/fleet/lease'
import { channels, names } from '@onrush/fleet/names'
import type { Redis } from '@onrush/fleet/redis'
import { openRunIds, readRun } from '@onrush/fleet/run-store'
import { parseFrame } from '@onrush/metrics/frame'
import { TraceMessage } from '@onrush/protocol/trace'
import type { RunAccount } from '@onrush/report/run-account'
import type { ClientSocket } from '@onrush/web/listen'
import { type LiveNeeds, LiveRun } from './live-run.ts'

export interface LiveRunsNeeds extends LiveNeeds {
  readonly reporter: string
  readonly subscriber: Redis
}

const beatMs = 1_000
const leaseMs = 4_000
const channelPrefix = channels.monitor('')

/**
 * The runs that go on, as far as this reporter has to do with them: each is followed by one reporter, and seen by those
 * on which somebody watches it.
 */
export class LiveRuns {
  readonly #needs: LiveRunsNeeds
  readonly #runs = new Map<string, LiveRun>()
  #timer: NodeJS.Timeout | undefined
  #busy: Promise<void> | undefined
  #watchers = 0

  constructor(needs: LiveRunsNeeds) {
    this.#needs = needs
    needs.subscriber.on('message', (channel: string, text: string) => {
      if (channel.startsWith(channelPrefix)) this.#hear(channel.slice(channelPrefix.length), text)
    })
  }

  /** Runs whose frames come here. */
  get count(): number {
    return this.#runs.size
  }

  get watchers(): number {
    return this.#watchers
  }

  start(): void {
    this.#timer = setInterval(() => {
      for (const run of this.#runs.values()) run.tickFeeds()
      this.look()
    }, beatMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#busy
    const { redis, reporter } = this.#needs
    for (const run of this.#runs.values()) {
      if (run.following) await giveLease(redis, names.follower(run.runId), reporter)
    }
  }

  /** Looks at all open runs now; one look at a time. */
  look(): void {
    this.#busy ??= this.#look()
      .catch((error: unknown) => this.#needs.log('warn', 'the runs could not be looked at', { error }))
      .finally(() => {
        this.#busy = undefined
      })
  }

  /** See `LiveRun.completeAccount`. The last frames may be on their way still: they are given a moment. */
  async completeAccount(runId: string, seconds: ReadonlyMap<string, number>): Promise<RunAccount | undefined> {
    for (let look = 0; look < 4; look++) {
      const account = this.#runs.get(runId)?.completeAccount(seconds)
      if (account !== undefined || !this.#runs.has(runId)) return account
      await sleep(100)
    }
    return undefined
  }

  watch(runId: string, socket: ClientSocket): void {
    this.#watchers++
    this.#show(runId, socket).catch((error: unknown) => {
      this.#needs.log('warn', 'a run could not be shown', { runId, error })
      socket.close(1011, 'the run cannot be shown now; try again')
    })
  }

  async #show(runId: string, socket: ClientSocket): Promise<void> {
    const record = await readRun(this.#needs.redis, runId)
    if (record === undefined) {
      socket.close(1008, 'there is no such run')
      return
    }
    const run = this.#runs.get(runId) ?? new LiveRun(record, this.#needs)
    // A look at all runs goes on beside it, and closes those that nobody watches.
    await run.welcome(async () => {
      if (this.#runs.get(runId) !== run) await this.#open(run)
      await run.tick(record)
      run.watch(socket)
    })
  }

  unwatch(runId: string, socket: ClientSocket): void {
    this.#watchers = Math.max(0, this.#watchers - 1)
    this.#runs.get(runId)?.unwatch(socket)
  }

  async #open(run: LiveRun): Promise<LiveRun> {
    this.#runs.set(run.runId, run)
    await this.#needs.subscriber.subscribe(channels.monitor(run.runId))
    return run
  }

  async #close(run: LiveRun): Promise<void> {
    this.#runs.delete(run.runId)
    await this.#needs.subscriber.unsubscribe(channels.monitor(run.runId))
  }

  async #look(): Promise<void> {
    const { redis, reporter } = this.#needs
    const open = await openRunIds(redis)
    for (const runId of new Set([...open, ...this.#runs.keys()])) {
      const record = await readRun(redis, runId)
      if (record === undefined) {
        const known = this.#runs.get(runId)
        // Redis has lost it; who watches is told when its reporter has marked it.
        if (known?.isWatched === false) await this.#close(known)
        continue
      }
      const following =
        open.includes(runId) &&
        record.status !== 'queued' &&
        (await takeLease(redis, names.follower(runId), reporter, leaseMs))
      // Looked for only now: somebody may have come to watch it meanwhile, and a second one would leave him with the first.
      let run = this.#runs.get(runId)
      if (run === undefined) {
        if (!following) continue
        run = await this.#open(new LiveRun(record, this.#needs))
      }
      run.following = following
      await run.tick(record)
      if (!run.isWatched && (run.hasEnded || !following)) await this.#close(run)
    }
  }

  #hear(runId: string, text: string): void {
    const run = this.#runs.get(runId)
    if (run === undefined) return
    try {
      const message: unknown = JSON.parse(text)
      if (typeof message !== 'object' || message === null) return
      if ('frame' in message) run.take(parseFrame(message.frame))
      else if ('events' in message) run.show(TraceMessage.parse(message))
    } catch (error) {
      this.#needs.log('warn', 'a live message could not be read', { error })
    }
  }
}

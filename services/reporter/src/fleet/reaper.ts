import { failShards } from '@onrush/fleet/fail-shards'
import { buryNode, dropNode, listNodes } from '@onrush/fleet/heartbeat'
import type { RunJob } from '@onrush/fleet/jobs'
import { takeLease } from '@onrush/fleet/lease'
import { names } from '@onrush/fleet/names'
import type { OnRedisError, Redis } from '@onrush/fleet/redis'
import { type Repeating, repeat } from '@onrush/fleet/repeat'
import { giveUpWaiting, listReservations, releaseWorker, waitingRuns } from '@onrush/fleet/reservation'
import { changeRun, changeWorker, hasEnded, readRun, runStatus } from '@onrush/fleet/run-store'
import type { RunState } from '@onrush/protocol/job'
import type { Log } from '@onrush/web/log'

export interface ReaperNeeds {
  readonly redis: Redis
  readonly reporter: string
  readonly jobOf: (runId: string) => Promise<RunJob | undefined>
  readonly onRedisError: OnRedisError
  readonly now: () => number
  readonly log: Log
}

const lookMs = 1_000
const leaseMs = 3_000
/** While Redis was away all hearts stood still: nobody is given up before the fleet has had time to come back. */
const graceMs = 8_000
/** A single look may fall between a key's end and a late beat. */
const looks = 2

/**
 * Gives up nodes whose heart has stopped: fails what they ran, so that their runs go on without them. Every reporter has
 * a reaper; one at a time acts. It walks reservations beside nodes, because a shard may reach the queue of a worker that
 * died after it was reserved, and a reservation may outlive its run.
 */
export class Reaper {
  readonly #needs: ReaperNeeds
  readonly #silent = new Map<string, number>()
  readonly #orphans = new Map<string, number>()
  #readyAt: number
  #looking: Repeating | undefined

  constructor(needs: ReaperNeeds) {
    this.#needs = needs
    this.#readyAt = needs.now()
    needs.redis.on('ready', () => {
      this.#readyAt = needs.now()
      this.#silent.clear()
      this.#orphans.clear()
    })
  }

  start(): void {
    this.#looking = repeat(
      lookMs,
      () => this.#look(),
      error => this.#needs.log('warn', 'the reaper could not look', { error }),
    )
  }

  stop(): void {
    this.#looking?.stop()
  }

  async #look(): Promise<void> {
    const { redis, reporter, now } = this.#needs
    if (redis.status !== 'ready' || now() - this.#readyAt < graceMs) return
    if (!(await takeLease(redis, names.reaper, reporter, leaseMs))) return
    const nodes = await listNodes(redis)
    const reservations = await listReservations(redis)
    const alive = new Set(nodes.filter(node => node.alive).map(({ record }) => record.id))
    const roles = new Map(nodes.map(({ record }) => [record.id, record.role]))
    const silent = new Set([...roles.keys(), ...reservations.keys()].filter(id => !alive.has(id)))
    for (const id of this.#silent.keys()) if (!silent.has(id)) this.#silent.delete(id)
    for (const id of silent) {
      const seen = (this.#silent.get(id) ?? 0) + 1
      this.#silent.set(id, seen)
      if (seen >= looks) await this.#giveUp(id, roles.get(id), reservations.get(id))
    }
    await this.#sweep(reservations)
  }

  async #giveUp(id: string, role: string | undefined, runId: string | undefined): Promise<void> {
    const { redis, onRedisError, log } = this.#needs
    if (!(await buryNode(redis, id))) return
    if (role !== undefined) log('warn', 'a node gives no sign of life any more', { lost: id, role, runId })
    if (role !== 'reporter') {
      const reason = `worker ${id} was lost: no sign of life for more than 5 s`
      const failed = await failShards(redis, id, reason, onRedisError)
      const runs = new Set(failed.map(shard => shard.runId))
      if (runId !== undefined) runs.add(runId)
      for (const run of runs) await this.#mourn(run, id, reason)
    }
    await dropNode(redis, id)
  }

  /** What a worker's death means for the run that held it. Its reservation stays until the run is over. */
  async #mourn(runId: string, worker: string, reason: string): Promise<void> {
    const { redis, jobOf } = this.#needs
    const record = await readRun(redis, runId)
    if (record === undefined || hasEnded(record.status)) return
    const known = record.workers.find(each => each.id === worker)?.status
    if (known === 'finished' || known === 'stopped' || known === 'failed') return
    await changeWorker(redis, runId, { id: worker, status: 'lost', error: reason })
    if ((await jobOf(runId)) === undefined) {
      // A run of this worker alone: nobody else is there to close its record.
      await changeRun(redis, runId, { status: 'failed', error: reason, endedAt: new Date().toISOString() })
    }
  }

  /** Reservations and tickets of runs that are over, or never came to be. */
  async #sweep(reservations: ReadonlyMap<string, string>): Promise<void> {
    const { redis } = this.#needs
    const held = new Map<string, () => Promise<void>>()
    for (const [worker, run] of reservations) held.set(`${worker} ${run}`, () => releaseWorker(redis, worker, run))
    for (const run of await waitingRuns(redis)) held.set(` ${run}`, () => giveUpWaiting(redis, run))
    for (const key of this.#orphans.keys()) if (!held.has(key)) this.#orphans.delete(key)
    const runs = new Set([...held.keys()].map(key => key.slice(key.indexOf(' ') + 1)))
    const states = new Map<string, RunState | undefined>()
    for (const run of runs) states.set(run, await runStatus(redis, run))
    for (const [key, release] of held) {
      const status = states.get(key.slice(key.indexOf(' ') + 1))
      if (status !== undefined && !hasEnded(status)) {
        this.#orphans.delete(key)
        continue
      }
      const seen = (this.#orphans.get(key) ?? 0) + 1
      this.#orphans.set(key, seen)
      if (seen > looks) await release()
    }
  }
}

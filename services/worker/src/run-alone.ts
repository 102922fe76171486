import type { ContentPublisher } from '@onrush/fleet/content-publisher'
import { tell } from '@onrush/fleet/control'
import { dropFrames } from '@onrush/fleet/frame-log'
import { claimKey } from '@onrush/fleet/idempotency'
import type { RunPlan } from '@onrush/fleet/jobs'
import { names } from '@onrush/fleet/names'
import type { Redis } from '@onrush/fleet/redis'
import { giveUpWaiting, releaseWorker, reserveWorkers } from '@onrush/fleet/reservation'
import { headerOfDraft, planOfDraft, type RunDraft, recordOfDraft } from '@onrush/fleet/run-draft'
import { changeRun, createRun } from '@onrush/fleet/run-store'
import { wholeShare } from '@onrush/load/share'
import { faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import { linksOf, type Started } from '@onrush/protocol/job'
import type { EngineMonitorMessage } from '@onrush/protocol/monitor'
import type { Fault } from '@onrush/protocol/problem'
import type { Report } from '@onrush/protocol/report'
import { makeRunId } from '@onrush/protocol/run-id'
import type { Machine, RunHeader } from '@onrush/protocol/run-log'
import type { SimulationRequest } from '@onrush/protocol/run-request'
import type { Simulation } from '@onrush/protocol/simulation'
import type { Single } from '@onrush/protocol/single'
import type { IdempotencyKey } from '@onrush/web/idempotency-key'
import type { Log } from '@onrush/web/log'
import { checkThresholds } from 'onrush/check-thresholds'
import { loadNamedOrInline, loadSingle, type Requested } from 'onrush/load-requested'
import type { LoadedSimulation } from 'onrush/loaded'
import { AloneAccount } from './alone-account.ts'
import type { EngineSlot } from './engine-slot.ts'
import { endOfShard } from './shard-end.ts'
import type { ShardRunner } from './shard-runner.ts'

export interface AloneNeeds {
  readonly redis: Redis
  readonly worker: string
  readonly threads: number
  readonly runner: ShardRunner
  readonly slot: EngineSlot
  readonly reportsFolder: string
  readonly cacheFolder: string
  readonly machine: Machine
  readonly publisher: ContentPublisher
  /** Loads a script of this worker's own folder by its name. */
  readonly loadNamed: (name: string) => Promise<LoadedSimulation>
  readonly log: Log
}

/** What only a fleet can do, and what the schemas cannot tell. */
function refuse(request: Single | SimulationRequest, simulation: Simulation): void {
  const faults: Fault[] = (['workers', 'weights', 'onWorkerLoss', 'startTimeout', 'callback'] as const)
    .filter(field => request[field] !== undefined)
    .map(field => ({ path: `$.${field}`, message: 'this worker runs alone: start the run on a reporter for this' }))
  if (request.thresholds !== undefined) checkThresholds({ ...simulation, thresholds: request.thresholds }, faults)
  if (faults.length > 0) throw new OnrushError('invalid', faultsInWords('the request', faults), { errors: faults })
}

/** This worker as a fleet of one: it reserves itself, so that no reporter gives it a shard meanwhile. */
export class AloneRuns {
  readonly #needs: AloneNeeds
  readonly #following = new Set<Promise<void>>()
  #account: AloneAccount | undefined

  constructor(needs: AloneNeeds) {
    this.#needs = needs
  }

  async single(request: Single, key?: IdempotencyKey): Promise<Started> {
    return await this.#start(await loadSingle(request, this.#needs.cacheFolder), request, key)
  }

  async simulation(request: SimulationRequest, key?: IdempotencyKey): Promise<Started> {
    const { cacheFolder, loadNamed } = this.#needs
    return await this.#start(await loadNamedOrInline(request, cacheFolder, loadNamed), request, key)
  }

  async #start(
    { name, kind, loaded }: Requested,
    request: Single | SimulationRequest,
    key: IdempotencyKey | undefined,
  ): Promise<Started> {
    const { redis, worker, threads, machine, publisher, log } = this.#needs
    refuse(request, loaded.simulation)
    const now = new Date()
    const runId = makeRunId(name, now, Math.random)
    const bundled = await publisher.publish(loaded)
    const draft: RunDraft = { name, kind, request, bundled, at: now, seed: Math.floor(Math.random() * 2 ** 31) }
    const plan = planOfDraft(draft, runId)
    const header = headerOfDraft(draft, plan, machine, [{ id: worker, threads, share: 1 }])

    const claimed = key === undefined ? undefined : await claimKey(redis, key.key, key.request, runId)
    if (claimed?.first === false) return { runId: claimed.run, links: linksOf(claimed.run) }
    const reserved = await reserveWorkers(redis, runId, [worker])
    if (reserved.state === 'waiting') {
      await giveUpWaiting(redis, runId)
      throw new OnrushError(
        'worker_busy',
        `${reserved.reason}: expected this worker idle; stop its run or take another worker`,
      )
    }
    await createRun(redis, recordOfDraft(draft, plan))
    await changeRun(redis, runId, { status: 'running', startedAt: now.toISOString() })
    const following = this.#follow(plan, header)
      .catch((error: unknown) => log('error', 'a run of this worker alone could not be closed', { runId, error }))
      .finally(() => this.#following.delete(following))
    this.#following.add(following)
    return { runId, links: linksOf(runId) }
  }

  /** What this worker counts, second by second, while it runs something alone. */
  see(message: EngineMonitorMessage): void {
    if (message.type === 'frame') this.#account?.add(message.frame)
  }

  /** Resolves when no run of this worker alone has yet to be closed. */
  async settled(): Promise<void> {
    await Promise.all(this.#following)
  }

  /** Runs it, builds its report and closes its record, whichever way it ends. */
  async #follow(plan: RunPlan, header: RunHeader): Promise<void> {
    const { redis, worker, slot, reportsFolder } = this.#needs
    const { runId } = plan
    try {
      const account = await AloneAccount.open(header, reportsFolder, reason => slot.stop(reason, runId))
      this.#account = account
      const { status, verdict, error, totals } = await this.#report(plan, header, account).finally(() => {
        this.#account = undefined
      })
      await changeRun(redis, runId, { status, verdict, error, totals, endedAt: now() })
    } catch (error) {
      await changeRun(redis, runId, { status: 'failed', error: inWords(error), endedAt: now() })
    } finally {
      await dropFrames(redis, runId, 0)
      await redis.del(names.setup(runId))
      await releaseWorker(redis, worker, runId)
      await tell(redis, { type: 'release', run: runId, worker })
    }
  }

  async #report(plan: RunPlan, header: RunHeader, account: AloneAccount): Promise<Report> {
    const { runner, worker } = this.#needs
    const share = wholeShare.map(stride => [...stride] as [number, number, number])
    try {
      const returned = await runner.execute({ v: 1, kind: 'shard', plan, shard: 0, of: 1, share, header })
      if (returned === null) throw new OnrushError('internal', 'a shard that was executed returned nothing')
      const end = endOfShard(worker, returned.result, new Date())
      const failure = plan.hasTeardown ? await this.#teardownFailure(plan) : undefined
      return await account.finish(failure === undefined ? end : { ...end, status: 'failed', error: failure })
    } catch (error) {
      await account.discard()
      throw error
    }
  }

  async #teardownFailure(plan: RunPlan): Promise<string | undefined> {
    try {
      await this.#needs.runner.execute({ v: 1, kind: 'teardown', plan })
      return undefined
    } catch (error) {
      return `the teardown failed: ${inWords(error)}`
    }
  }
}

const now = () => new Date().toISOString()
const inWords = (error: unknown): string => (error instanceof Error ? error.message : String(error))

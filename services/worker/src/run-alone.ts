import type { ContentPublisher } from '@onrush/fleet/content-publisher'
import { tell } from '@onrush/fleet/control'
import { claimKey } from '@onrush/fleet/idempotency'
import type { Redis } from '@onrush/fleet/redis'
import { giveUpWaiting, releaseWorker, reserveWorkers } from '@onrush/fleet/reservation'
import { headerOfDraft, planOfDraft, type RunDraft, recordOfDraft } from '@onrush/fleet/run-draft'
import { changeRun, createRun } from '@onrush/fleet/run-store'
import { wholeShare } from '@onrush/load/share'
import { faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import { linksOf, type Started } from '@onrush/protocol/job'
import type { Fault } from '@onrush/protocol/problem'
import { makeRunId } from '@onrush/protocol/run-id'
import type { Machine } from '@onrush/protocol/run-log'
import type { SimulationRequest } from '@onrush/protocol/run-request'
import type { Simulation } from '@onrush/protocol/simulation'
import type { Single } from '@onrush/protocol/single'
import type { IdempotencyKey } from '@onrush/web/idempotency-key'
import type { Log } from '@onrush/web/log'
import { checkThresholds } from 'onrush/check-thresholds'
import { loadNamedOrInline, loadSingle, type Requested } from 'onrush/load-requested'
import type { LoadedSimulation } from 'onrush/loaded'
import type { ShardRunner } from './shard-runner.ts'

export interface AloneNeeds {
  readonly redis: Redis
  readonly worker: string
  readonly threads: number
  readonly runner: ShardRunner
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
    const { redis, worker, threads, machine, runner, publisher, log } = this.#needs
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
    this.#follow(
      runId,
      runner.execute({
        v: 1,
        kind: 'shard',
        plan,
        shard: 0,
        of: 1,
        share: [...wholeShare.map(stride => [...stride] as [number, number, number])],
        header,
      }),
      plan.hasTeardown ? () => runner.execute({ v: 1, kind: 'teardown', plan }) : undefined,
    ).catch((error: unknown) => log('error', 'a run of this worker alone could not be closed', { runId, error }))
    return { runId, links: linksOf(runId) }
  }

  /** Closes the run's record when its shard is over, whichever way. */
  async #follow(
    runId: string,
    shard: ReturnType<ShardRunner['execute']>,
    teardown: (() => Promise<unknown>) | undefined,
  ): Promise<void> {
    const { redis, worker } = this.#needs
    const endedAt = () => new Date().toISOString()
    try {
      const returned = await shard
      await teardown?.()
      const status = returned?.result.stopped === undefined ? 'finished' : 'stopped'
      await changeRun(redis, runId, { status, endedAt: endedAt() })
    } catch (error) {
      await changeRun(redis, runId, {
        status: 'failed',
        error: error instanceof Error ? error.message : String(error),
        endedAt: endedAt(),
      })
    } finally {
      await releaseWorker(redis, worker, runId)
      await tell(redis, { type: 'release', run: runId, worker })
    }
  }
}

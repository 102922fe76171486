import type { ContentPublisher } from '@onrush/fleet/content-publisher'
import { claimKey } from '@onrush/fleet/idempotency'
import type { RunJob } from '@onrush/fleet/jobs'
import type { Queue } from '@onrush/fleet/queues'
import type { Redis } from '@onrush/fleet/redis'
import { takeTicket } from '@onrush/fleet/reservation'
import { headerOfDraft, planOfDraft, type RunDraft, recordOfDraft } from '@onrush/fleet/run-draft'
import { createRun, openRunIds, readRun } from '@onrush/fleet/run-store'
import type { Seal } from '@onrush/fleet/seal'
import { faultsInWords } from '@onrush/protocol/check'
import { durationMs } from '@onrush/protocol/duration'
import { OnrushError } from '@onrush/protocol/error'
import { linksOf, type Started } from '@onrush/protocol/job'
import { limits } from '@onrush/protocol/limits'
import type { Fault } from '@onrush/protocol/problem'
import { makeRunId } from '@onrush/protocol/run-id'
import type { Machine } from '@onrush/protocol/run-log'
import type { SimulationRequest } from '@onrush/protocol/run-request'
import type { Simulation } from '@onrush/protocol/simulation'
import type { Single } from '@onrush/protocol/single'
import type { TargetJudge } from '@onrush/protocol/targets'
import type { IdempotencyKey } from '@onrush/web/idempotency-key'
import { checkThresholds } from 'onrush/check-thresholds'
import { loadNamedOrInline, loadSingle, type Requested } from 'onrush/load-requested'
import type { Scripts } from '../scripts.ts'
import { callbackFaults } from './callbacks.ts'
import type { Journal } from './journal.ts'

export interface StartNeeds {
  /** Fails at once while Redis is away: a start that is answered 503 must not begin a run later. */
  readonly redis: Redis
  readonly runs: Queue<RunJob>
  readonly scripts: Scripts
  readonly journal: Journal
  readonly publisher: ContentPublisher
  readonly cacheFolder: string
  readonly machine: Machine
  readonly seal: Seal
  /** Runs of the fleet that may be open; beyond, a start is refused. */
  readonly mostRuns: number
  /** Where a callback may be sent. */
  readonly judge: TargetJudge
}

/** What is yours is handed back, not stored for you: each shard's job carries it. */
const mostExt = limits.ext.value
const defaultStartTimeoutMs = 10 * 60_000

/** Makes of a request a run that waits in the queue. */
export class StartRuns {
  readonly #needs: StartNeeds

  constructor(needs: StartNeeds) {
    this.#needs = needs
  }

  async single(request: Single, key?: IdempotencyKey): Promise<Started> {
    return await this.#start(await loadSingle(request, this.#needs.cacheFolder), request, key)
  }

  async simulation(request: SimulationRequest, key?: IdempotencyKey): Promise<Started> {
    const { scripts, cacheFolder } = this.#needs
    const requested = await loadNamedOrInline(request, cacheFolder, name => scripts.load(name))
    return await this.#start(requested, request, key)
  }

  async #start(
    { name, kind, loaded }: Requested,
    request: Single | SimulationRequest,
    key: IdempotencyKey | undefined,
  ): Promise<Started> {
    const { redis, runs, machine, mostRuns, journal, seal, judge, publisher } = this.#needs
    refuse(request, loaded.simulation, judge)
    const draft: RunDraft = {
      name,
      kind,
      request,
      bundled: await publisher.publish(loaded),
      at: new Date(),
      seed: Math.floor(Math.random() * 2 ** 31),
    }
    if ((await openRunIds(redis)).length >= mostRuns) {
      throw new OnrushError(
        'too_many',
        `${mostRuns} runs have not ended: wait for some, stop some, or raise ${limits.openRuns.setting}`,
      )
    }
    // Planned before the key is claimed: a key stands for a run, never for a refusal.
    const proposed = makeRunId(name, draft.at, Math.random)
    planOfDraft(draft, proposed)
    const claimed = key === undefined ? undefined : await claimKey(redis, key.key, key.request, proposed)
    const runId = claimed?.run ?? proposed
    const started: Started = { runId, links: linksOf(runId) }
    // A first call that died between claiming and adding is finished by the retry; adding twice adds once.
    if (claimed?.first === false && (await readRun(redis, runId)) !== undefined) return started

    const plan = planOfDraft(draft, runId)
    const { workers: _, ...header } = headerOfDraft(draft, plan, machine, [])
    const base = recordOfDraft(draft, plan)
    await journal.write(base)
    await takeTicket(redis, runId, request.workers)
    const job: RunJob = {
      v: 1,
      // Masked already in the header, and sealed in what queues carry.
      plan: { ...plan, env: seal.environment(plan.env) },
      base,
      header,
      workers: request.workers,
      weights: request.weights,
      onWorkerLoss: request.onWorkerLoss ?? 'continue',
      startTimeoutMs: request.startTimeout === undefined ? defaultStartTimeoutMs : durationMs(request.startTimeout),
      callback: request.callback === undefined ? undefined : seal.text(request.callback),
      step: 'allocate',
    }
    try {
      await runs.add('run', job, { jobId: runId })
      await createRun(redis, base)
    } catch (error) {
      await journal.remove(runId)
      throw error
    }
    return started
  }
}

/** What the schemas cannot tell. */
function refuse(request: Single | SimulationRequest, simulation: Simulation, judge: TargetJudge): void {
  const { onWorkerLoss, workers, weights, thresholds, ext, callback } = request
  const faults: Fault[] = callbackFaults(callback, judge, '$.callback')
  if (onWorkerLoss === 'redistribute') {
    faults.push({
      path: '$.onWorkerLoss',
      message: 'expected "continue" or "fail": a lost worker\'s part is not handed to the others yet',
    })
  }
  const named = Object.entries(weights ?? {})
  if (Array.isArray(workers)) {
    for (const [id] of named) {
      if (!workers.includes(id))
        faults.push({ path: `$.weights.${id}`, message: `"${id}" is none of the workers this run names` })
    }
    if (workers.every(id => weights?.[id] === 0))
      faults.push({ path: '$.weights', message: 'expected at least one weight above 0' })
  }
  if (thresholds !== undefined) checkThresholds({ ...simulation, thresholds }, faults)
  if (faults.length > 0) throw new OnrushError('invalid', faultsInWords('the request', faults), { errors: faults })
  if (ext !== undefined && JSON.stringify(ext).length > mostExt) {
    throw new OnrushError('too_large', `expected an "ext" of at most ${mostExt} bytes`)
  }
}

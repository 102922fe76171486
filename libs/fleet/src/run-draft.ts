import { type Job, linksOf } from '@onrush/protocol/job'
import type { Machine, RunHeader, RunWorker } from '@onrush/protocol/run-log'
import type { SimulationRequest } from '@onrush/protocol/run-request'
import type { Single } from '@onrush/protocol/single'
import type { RunPlan } from './jobs.ts'
import { type Bundled, planInShort, planRun, runHeader, type Wishes } from './run-plan.ts'
import type { RunBase } from './run-store.ts'

/** A start as it was asked for and bundled: all that its run will be, except which one it is. */
export interface RunDraft {
  readonly name: string
  readonly kind: Job['kind']
  readonly request: Single | SimulationRequest
  readonly bundled: Bundled
  readonly at: Date
  /** Where the simulation has none of its own. */
  readonly seed: number
}

const named = (request: Single | SimulationRequest): SimulationRequest | undefined =>
  'simulation' in request ? request : undefined

function wishesOf(request: Single | SimulationRequest): Wishes {
  // What a single request says of its load is in its simulation already.
  const simulation = named(request)
  return {
    environment: simulation?.environment,
    variables: simulation?.variables,
    env: request.env,
    verbose: request.verbose,
    load: simulation?.inject === undefined ? undefined : { inject: simulation.inject },
  }
}

export const planOfDraft = (draft: RunDraft, runId: string): RunPlan =>
  planRun(runId, draft.bundled, wishesOf(draft.request), draft.seed)

export const headerOfDraft = (
  { name, kind, request, bundled, at }: RunDraft,
  plan: RunPlan,
  machine: Machine,
  workers: readonly RunWorker[],
): RunHeader =>
  runHeader({
    name,
    kind,
    startedAt: at,
    bundled,
    plan,
    thresholds: request.thresholds,
    machine,
    workers,
    ext: request.ext,
  })

/** The run's record, as it begins. */
export function recordOfDraft({ name, kind, request, at }: RunDraft, plan: RunPlan): RunBase {
  const simulation = named(request)?.simulation
  return {
    runId: plan.runId,
    name,
    kind,
    simulation: typeof simulation === 'string' ? simulation : undefined,
    createdAt: at.toISOString(),
    plan: planInShort(plan),
    links: linksOf(plan.runId),
    ext: request.ext,
  }
}

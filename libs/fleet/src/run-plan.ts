import { summaryOf } from '@onrush/load/curve'
import { planOf } from '@onrush/load/plan'
import { type LoadOverride, populationsOf } from '@onrush/load/populations'
import { faultsInWords } from '@onrush/protocol/check'
import type { Contents } from '@onrush/protocol/content'
import { OnrushError } from '@onrush/protocol/error'
import type { Job } from '@onrush/protocol/job'
import type { Json } from '@onrush/protocol/json'
import { suggest } from '@onrush/protocol/nearest'
import type { Machine, RunHeader, RunWorker } from '@onrush/protocol/run-log'
import { maskedSource, secretTexts, withoutSecrets } from '@onrush/protocol/secrets'
import type { Environment, Simulation } from '@onrush/protocol/simulation'
import { stepOrder } from '@onrush/protocol/step-order'
import type { Thresholds } from '@onrush/protocol/threshold'
import { RunPlan } from './jobs.ts'

/** A simulation as it was loaded, and where its parts lie. */
export interface Bundled {
  readonly simulation: Simulation
  readonly contents: Contents
  readonly file?: string | undefined
  readonly source?: string | undefined
  /** What a reader of its report should know of it. */
  readonly warnings?: readonly string[] | undefined
}

/** What a start says beside the simulation. */
export interface Wishes {
  readonly environment?: string | undefined
  readonly env?: Environment | undefined
  readonly variables?: Readonly<Record<string, Json>> | undefined
  readonly load?: LoadOverride | undefined
  readonly verbose?: boolean | undefined
}

/** What all shards of a run are told. Refuses an environment that the simulation does not have. */
export function planRun(runId: string, { simulation, contents }: Bundled, wishes: Wishes, seed: number): RunPlan {
  const known = Object.keys(simulation.environments ?? {})
  const [first] = known
  const { environment = first } = wishes
  if (environment !== undefined && !known.includes(environment)) {
    const fault = {
      path: '$.environment',
      message:
        known.length === 0
          ? 'this simulation has no environments'
          : `no environment "${environment}" (${suggest(environment, known)})`,
    }
    throw new OnrushError('invalid', faultsInWords('the request', [fault]), { errors: [fault] })
  }
  return RunPlan.parse({
    runId,
    contents,
    populations: populationsOf(simulation, wishes.load),
    throttle: simulation.throttle,
    environment,
    env: wishes.env ?? {},
    variables: wishes.variables ?? {},
    seed: simulation.seed ?? seed,
    hasSetup: simulation.setup !== undefined,
    hasTeardown: simulation.teardown !== undefined,
    verbose: wishes.verbose ?? false,
  })
}

/** How long and how much, for the run's record: as far as a plan can tell. */
export function planInShort(plan: RunPlan): Job['plan'] {
  const summaries = plan.populations.map(load => summaryOf(planOf(load, plan.seed)))
  const longest = Math.max(...summaries.map(({ duration }) => duration ?? Number.POSITIVE_INFINITY))
  const arrivals = summaries.reduce((sum, { total }) => sum + (total ?? Number.POSITIVE_INFINITY), 0)
  return {
    durationMs: Number.isFinite(longest) ? longest : null,
    arrivals: Number.isFinite(arrivals) ? arrivals : null,
  }
}

const hidden = '…'

/** The environment's values as texts, secrets hidden. */
function shownValues(...environments: readonly (Environment | undefined)[]): Record<string, string> {
  const entries = environments.flatMap(environment => Object.entries(environment ?? {}))
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value === 'object' && value !== null && '$secret' in value) return [name, hidden]
      return [name, typeof value === 'string' ? value : JSON.stringify(value)]
    }),
  )
}

/** A script as its report shows it, without its secrets; what came as data has no file, and is shown as it came. */
function shownSource(simulation: Simulation, source: string | undefined, env: Environment): string {
  if (source === undefined) return JSON.stringify(withoutSecrets(simulation), undefined, 2)
  return maskedSource(source, secretTexts(...Object.values(simulation.environments ?? {}), env))
}

export interface HeaderInput {
  readonly name: string
  readonly kind: 'single' | 'simulation'
  readonly startedAt: Date
  readonly bundled: Bundled
  readonly plan: RunPlan
  readonly thresholds: Thresholds | undefined
  readonly machine: Machine
  readonly workers: readonly RunWorker[]
  readonly warnings?: readonly string[]
  readonly ext?: Json | undefined
}

/** The first line of a run's log: everything a report says beside what was measured. */
export function runHeader({
  name,
  kind,
  startedAt,
  bundled,
  plan,
  thresholds,
  machine,
  workers,
  warnings = [],
  ext,
}: HeaderInput): RunHeader {
  const { simulation, contents, file, source } = bundled
  const { environment, env, seed, populations, throttle, runId } = plan
  return {
    type: 'start',
    v: 1,
    runId,
    name,
    kind,
    description: simulation.description,
    startedAt: startedAt.toISOString(),
    simulation: { file, hash: contents.bundle.hash, source: shownSource(simulation, source, env) },
    steps: stepOrder(simulation),
    environment: {
      name: environment,
      values: shownValues(environment === undefined ? undefined : simulation.environments?.[environment], env),
    },
    seed,
    populations,
    throttle,
    thresholds: thresholds ?? simulation.thresholds,
    generator: simulation.generator,
    machine,
    workers: [...workers],
    warnings: [...(bundled.warnings ?? []), ...warnings],
    ext,
  }
}

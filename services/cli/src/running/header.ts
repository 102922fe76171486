import type { ShardPlan } from '@onrush/protocol/plan'
import type { Machine, RunHeader } from '@onrush/protocol/run-log'
import { runLogVersion } from '@onrush/protocol/run-log'
import { maskedSource } from '@onrush/protocol/secrets'
import { stepOrder } from '@onrush/protocol/step-order'
import type { Prepared } from './prepared.ts'

export interface Start {
  readonly plan: ShardPlan
  readonly startedAt: Date
  readonly machine: Machine
  readonly warnings: readonly string[]
}

/** What the report says beside the numbers. Secrets are taken out here, before anything is written. */
export function headerOf(prepared: Prepared, { plan, startedAt, machine, warnings }: Start): RunHeader {
  const { name, kind, loaded, environment, script, command, veil } = prepared
  const { description, thresholds, generator } = loaded.simulation
  return {
    type: 'start',
    v: runLogVersion,
    runId: plan.runId,
    name,
    kind,
    ...(description === undefined ? {} : { description: veil.text(description) }),
    startedAt: startedAt.toISOString(),
    command: command(plan.seed),
    simulation: {
      hash: script.hash,
      ...(script.file === undefined ? {} : { file: script.file }),
      ...(script.source === undefined ? {} : { source: maskedSource(veil.text(script.source), []) }),
    },
    environment: {
      ...(environment.name === undefined ? {} : { name: environment.name }),
      values: veil.environment(environment.whole),
    },
    steps: stepOrder(loaded.simulation),
    seed: plan.seed,
    populations: plan.populations,
    ...(plan.throttle === undefined ? {} : { throttle: plan.throttle }),
    ...(thresholds === undefined ? {} : { thresholds }),
    ...(generator === undefined ? {} : { generator }),
    machine,
    workers: [{ id: plan.worker, threads: plan.threads, share: 1 }],
    warnings: [...warnings],
  }
}

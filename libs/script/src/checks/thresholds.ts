import { compileAssertion } from '@onrush/context/assertion'
import { checkThresholds as faultsOf } from '@onrush/metrics/threshold-check'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import { everyStep } from '../every-step.ts'

/** What the engine counts of steps with tags. */
const taggedMetrics = [
  { name: 'tagged_duration', kind: 'trend' },
  { name: 'tagged_failed', kind: 'rate' },
] as const

/** Refuses thresholds on metrics, steps, scenarios, groups or checks that the run will not have. */
export function checkThresholds(simulation: Simulation, faults: Fault[]): void {
  if (simulation.thresholds === undefined) return
  const names = { steps: new Set<string>(), groups: new Set<string>(), checks: new Set<string>() }
  let tagged = false
  let open = simulation.setup !== undefined || simulation.teardown !== undefined
  for (const scenario of simulation.scenarios) {
    for (const [step] of everyStep(scenario.steps, [])) {
      if (step.type === 'code') open = true
      if (step.type === 'group') names.groups.add(step.name)
      if ('tags' in step && step.tags !== undefined) tagged = true
      if ('assert' in step && step.assert !== undefined) {
        // Its faults are told where it is checked.
        for (const check of compileAssertion(step.assert, '', []).checks) names.checks.add(check)
      }
      if (!('name' in step) || step.type === 'group') continue
      names.steps.add(step.name)
      // Nobody knows before the run which names a template will make.
      if (step.name.includes('{{')) open = true
    }
  }
  const known = {
    steps: [...names.steps],
    groups: [...names.groups],
    checks: [...names.checks],
    scenarios: simulation.scenarios.map(scenario => scenario.name),
    metrics: tagged ? taggedMetrics : [],
    open,
  }
  faults.push(...faultsOf(simulation.thresholds, known))
}

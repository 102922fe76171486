import type { Simulation } from '@onrush/protocol/simulation'
import { everyStep } from '../every-step.ts'
import type { Facts } from './version-store.ts'

const protocols = ['http', 'sql', 'grpc', 'jsonrpc'] as const

/** What a list says of a simulation. */
export function factsOf(simulation: Simulation, files: Readonly<Record<string, string>>): Facts {
  const used = new Set<string>()
  for (const [i, scenario] of simulation.scenarios.entries()) {
    for (const [step] of everyStep(scenario.steps, ['scenarios', i, 'steps'])) used.add(step.type)
  }
  return {
    ...(simulation.description === undefined ? {} : { description: simulation.description }),
    environments: Object.keys(simulation.environments ?? {}),
    scenarios: simulation.scenarios.map(scenario => scenario.name),
    protocols: protocols.filter(protocol => used.has(protocol)),
    parameters: simulation.variables ?? {},
    files: Object.keys(files).sort(),
  }
}

import type { SessionSettings } from '@onrush/context/context'
import { createEnvironment } from '@onrush/context/environment'
import { compileImports } from '@onrush/context/imports'
import type { Json } from '@onrush/protocol/json'
import { suggest } from '@onrush/protocol/nearest'
import type { ShardPlan } from '@onrush/protocol/plan'
import type { Fault } from '@onrush/protocol/problem'
import type { Environment, Secret, Simulation } from '@onrush/protocol/simulation'

type Choice = Pick<ShardPlan, 'environment' | 'env' | 'variables'>

/** What all sessions of a thread share: the effective environment and the variables they begin with. */
export function sessionSettings(simulation: Simulation, plan: Choice, faults: Fault[]): SessionSettings {
  const chosen: Environment = { ...environmentNamed(simulation, plan.environment, faults), ...plan.env }
  const values: Record<string, Json> = {}
  const secrets: string[] = []
  for (const [name, value] of Object.entries(chosen)) {
    if (isSecret(value)) {
      secrets.push(name)
      values[name] = value.$secret
    } else values[name] = value
  }
  return {
    environment: createEnvironment(values, secrets, faults),
    variables: compileImports({ ...simulation.variables, ...plan.variables }, '$.variables', faults),
    renderResponses: simulation.renderResponses ?? true,
  }
}

/** Without a name the first one is meant: the one that a person wrote down first is the one they try things with. */
function environmentNamed(simulation: Simulation, name: string | undefined, faults: Fault[]): Environment {
  const environments = simulation.environments ?? {}
  const known = Object.keys(environments)
  const wanted = name ?? known[0]
  if (wanted === undefined) return {}
  const found = environments[wanted]
  if (found !== undefined) return found
  const message = known.length === 0 ? 'the simulation declares none' : suggest(wanted, known)
  faults.push({ path: '$.environment', message: `no environment "${wanted}" (${message})` })
  return {}
}

function isSecret(value: Json | Secret): value is Secret {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return typeof value.$secret === 'string' && Object.keys(value).length === 1
}

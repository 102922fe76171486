import type { SessionSettings } from '@onrush/context/context'
import { durationMs } from '@onrush/protocol/duration'
import type { Population as PopulationPlan, ShardPlan } from '@onrush/protocol/plan'
import type { Simulation } from '@onrush/protocol/simulation'
import { weighted } from '../steps/choose.ts'
import type { Workshop } from '../steps/compile-scope.ts'
import { Population } from './population.ts'
import type { Rows } from './rows.ts'
import { type CompiledScenario, compileScenario } from './scenario.ts'
import { seedOf } from './seed.ts'
import type { Session } from './session.ts'

export interface PopulationNeeds {
  readonly workshop: Workshop
  readonly settings: SessionSettings
  /** By the scenario's name; a scenario without feeds has none. */
  readonly rows: ReadonlyMap<string, Rows>
  readonly endSession: (session: Session) => void
  readonly onIdle: () => void
  readonly onDefect: (error: unknown) => void
}

/** All populations of a plan, compiled for a thread, in the plan's order. */
export function compilePopulations(simulation: Simulation, plan: ShardPlan, needs: PopulationNeeds): Population[] {
  return plan.populations.map(population => {
    const scenarios = population.scenarios.flatMap(name => scenarioNamed(simulation, name, needs))
    const compiled = scenarios.map(({ scenario, at }) => compileOne(scenario, at, simulation, population, needs))
    const weights = scenarios.map(({ scenario }) => scenario.weight ?? 0)
    return new Population(
      {
        name: population.name,
        scenarios: compiled,
        pick: weights.some(weight => weight > 0) ? weighted(weights, compiled) : undefined,
        loop: population.loop,
        pace: population.pace === undefined ? 0 : durationMs(population.pace),
        follows: population.inject.some(({ type }) => type === 'iterations' || type.includes('Concurrent')),
        seed: seedOf(plan.seed, population.name),
        session: needs.settings,
        globals: { runId: plan.runId, worker: plan.worker },
        endSession: needs.endSession,
        onIdle: needs.onIdle,
        onDefect: needs.onDefect,
      },
      needs.workshop,
    )
  })
}

function scenarioNamed(simulation: Simulation, name: string, { workshop }: PopulationNeeds) {
  const at = simulation.scenarios.findIndex(scenario => scenario.name === name)
  const scenario = simulation.scenarios[at]
  if (scenario !== undefined) return [{ scenario, at }]
  const message = `the plan has a scenario "${name}", the simulation has none: was the bundle made from another version?`
  workshop.faults.push({ path: '$.scenarios', message })
  return []
}

function compileOne(
  scenario: Simulation['scenarios'][number],
  at: number,
  simulation: Simulation,
  population: PopulationPlan,
  { workshop, rows }: PopulationNeeds,
): CompiledScenario {
  const scope = {
    workshop,
    scenario: scenario.name,
    group: undefined,
    onFailure: simulation.onFailure ?? 'stop',
    thinkTimes: population.thinkTimes ?? 1,
  }
  return compileScenario(scenario, scope, rows.get(scenario.name), `$.scenarios[${at}]`, workshop.faults)
}

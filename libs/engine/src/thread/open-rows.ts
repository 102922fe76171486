import type { ShardPlan } from '@onrush/protocol/plan'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import { type IndexFile, openScenarioRows } from '../feeder/scenario-rows.ts'
import type { Rows } from '../session/rows.ts'

/** The rows of each scenario that has a feed, by its name. */
export async function openRows(
  simulation: Simulation,
  plan: ShardPlan,
  indexFile: IndexFile,
  faults: Fault[],
): Promise<Map<string, Rows>> {
  const tools = { files: new Map(Object.entries(plan.files)), seed: plan.seed, indexFile }
  const all = new Map<string, Rows>()
  for (const [i, scenario] of simulation.scenarios.entries()) {
    const rows = await openScenarioRows(scenario, tools, `$.scenarios[${i}]`, faults)
    if (rows !== undefined) all.set(scenario.name, rows)
  }
  return all
}

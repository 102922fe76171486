import { placed } from './place.ts'
import type { Scenario, ScenarioOptions, Simulation } from './simulation-types.ts'

/** A whole simulation; the script's default export: `export default simulation({ … })`. */
export function simulation(options: Simulation): Simulation {
  return placed({ ...options })
}

/** A named list of steps: `scenario('buyer', { inject: [constantRate(10, '1m')], steps: [ … ] })`. */
export function scenario(name: string, options: ScenarioOptions): Scenario {
  return placed({ name, ...options })
}

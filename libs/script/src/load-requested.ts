import type { SimulationRequest } from '@onrush/protocol/run-request'
import { type Single, simulationOfSingle } from '@onrush/protocol/single'
import { loadSpec } from './load-simulation.ts'
import type { LoadedSimulation } from './loaded.ts'

/** What a start asks for, loaded and checked. */
export interface Requested {
  readonly name: string
  readonly kind: 'single' | 'simulation'
  readonly loaded: LoadedSimulation
}

export async function loadSingle(request: Single, cacheDir: string): Promise<Requested> {
  const name = request.name ?? 'single'
  return { name, kind: 'single', loaded: await loadSpec(name, simulationOfSingle(request), cacheDir) }
}

/** A registered script by its name, or the data that came with the request. */
export async function loadNamedOrInline(
  { simulation, name }: SimulationRequest,
  cacheDir: string,
  registered: (name: string) => Promise<LoadedSimulation>,
): Promise<Requested> {
  const isName = typeof simulation === 'string'
  const shown = name ?? (isName ? simulation : 'inline')
  const loaded = isName ? await registered(simulation) : await loadSpec(shown, simulation, cacheDir)
  return { name: shown, kind: 'simulation', loaded }
}

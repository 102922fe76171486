import { setSourceMapsSupport } from 'node:module'
import { pathToFileURL } from 'node:url'
import { demand } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import type { SimulationSource } from '@onrush/protocol/plan'
import { Simulation } from '@onrush/protocol/simulation'
import { errorWords } from './error-words.ts'

/** The simulation as a thread runs it, functions included. */
export async function loadSimulation(source: SimulationSource): Promise<Simulation> {
  if ('spec' in source) return demand(Simulation, source.spec, 'the simulation')
  const exported = await importBundle(source.bundle)
  if (exported === undefined) {
    throw new OnrushError('script_error', 'expected the script to export a simulation as its default, got nothing')
  }
  return demand(Simulation, exported, 'the simulation', 'script_error')
}

async function importBundle(bundle: string): Promise<unknown> {
  // Of this thread, from here on: an error in a step names the line that its author wrote.
  setSourceMapsSupport(true)
  try {
    const module: { default?: unknown } = await import(pathToFileURL(bundle).href)
    return module.default
  } catch (error) {
    throw new OnrushError('script_error', `the script failed while it was loaded: ${errorWords(error)}`, {
      cause: error,
    })
  }
}

import type { SimulationEntry } from '@onrush/protocol/simulation-entry'
import type { LoadedScript } from 'onrush/loaded'

/** Where a reporter finds simulations by name. */
export interface Scripts {
  list(): Promise<SimulationEntry[]>
  load(name: string): Promise<LoadedScript>
}

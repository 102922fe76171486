import type { SimulationEntry } from '@onrush/protocol/simulation-entry'
import type { SimulationSource } from '@onrush/protocol/simulation-source'
import type { LoadedScript } from 'onrush/loaded'

/** Where a reporter finds simulations by name. */
export interface Scripts {
  list(): Promise<SimulationEntry[]>
  /** Throws where there is none of this name that a start could call. */
  ensure(name: string): Promise<void>
  source(name: string): Promise<SimulationSource>
  load(name: string): Promise<LoadedScript>
}

import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import type { Bundle } from './bundle.ts'
import type { Files } from './checks/files.ts'
import type { Env, LoadLimits, Outcome } from './first-load/first-load.ts'

export interface LoadOptions {
  /** Where bundles are kept, by their hash. */
  readonly cacheDir: string
  /** What the script's own `process.env` holds while it is loaded; nothing by default. */
  readonly env?: Env
  readonly limits?: Partial<LoadLimits>
  /** As people name the script in faults; its path by default. */
  readonly shownAs?: string
  /** What a type check of many scripts at once found of this one; by default it is checked alone. */
  readonly types?: Promise<readonly Fault[]>
  /** Loads a bundle for the first time; by default each in a process of its own. */
  readonly firstLoad?: (bundle: string, limits: LoadLimits, env: Env) => Promise<Outcome>
  /** Told which files the bundle was made of, before the script is loaded. */
  readonly onInputs?: (files: readonly string[]) => void
}

export interface LoadedSimulation {
  /** From the file's name: lower case, digits and "-". */
  readonly name: string
  /** The checked data. Functions in it only say that there is one: the real ones are in the bundle. */
  readonly simulation: Simulation
  /** The same as JSON, with `{ $function: name }` in the place of functions. */
  readonly spec: Json
  /** What threads and workers run; `file` is what a thread on this host imports. */
  readonly bundle: Bundle & { readonly file: string }
  /** Every data file that the simulation names, as written, to where it lies. */
  readonly files: Files
}

export interface LoadedScript extends LoadedSimulation {
  /** The script, absolute. */
  readonly file: string
  /** The script's text, as it was read. */
  readonly source: string
}

/** One that has just been read from its file, so that it is known what stands where. */
export interface PlacedScript extends LoadedScript {
  /** `file:line:column` of what lies at a JSON path of the simulation, where that is known. */
  readonly placeOf: (path: string) => string | undefined
}

import { isAbsolute, relative, resolve } from 'node:path'
import type { Loaded } from '@onrush/engine/run'
import { loadSimulation } from 'onrush/load-simulation'
import type { LoadedScript, PlacedScript } from 'onrush/loaded'
import type { Io } from '../io.ts'

/** As people would type it: from where they are, unless it lies elsewhere. */
export function shownPath(file: string, cwd: string): string {
  const path = relative(cwd, resolve(cwd, file))
  return path.startsWith('..') || isAbsolute(path) ? resolve(cwd, file) : path
}

export function loadScript(file: string, cacheDir: string, io: Io): Promise<PlacedScript> {
  return loadSimulation(shownPath(file, io.cwd), { cacheDir })
}

/** A script as the engine wants it. */
export function loadedOf({ simulation, bundle, files }: LoadedScript): Loaded {
  return {
    simulation,
    source: { bundle: bundle.file, hash: bundle.hash },
    files,
  }
}

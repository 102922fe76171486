import { dirname } from 'node:path'
import type { Fault } from '@onrush/protocol/problem'
import { bundleScript } from './bundle.ts'
import { writeBundle } from './bundle-file.ts'
import { firstLoad, type LoadLimits } from './first-load/first-load.ts'
import { outcomeFault } from './first-load/outcome-fault.ts'
import type { LoadOptions } from './loaded.ts'
import { pathsAbove } from './path-segments.ts'
import type { Read } from './read.ts'
import type { Shown } from './shown.ts'
import { sourcePlaces } from './source-places.ts'

export const defaultLimits: LoadLimits = { timeMs: 10_000, memoryMb: 512 }

/** A simulation in TypeScript or JavaScript: bundled, then loaded for the first time where it can harm nobody. */
export async function readScript(script: string, options: LoadOptions, shown: Shown): Promise<Read | Fault[]> {
  const bundle = await bundleScript(script, shown)
  if (Array.isArray(bundle)) return bundle
  options.onInputs?.(bundle.inputs)
  const limits = { ...defaultLimits, ...options.limits }
  const file = await writeBundle(bundle, options.cacheDir, script)
  const outcome = await (options.firstLoad ?? firstLoad)(file, limits, options.env ?? {})
  const placeOf = sourcePlaces(bundle.sourceMap, dirname(script), shown)
  if (outcome.type !== 'loaded') return [outcomeFault(outcome, limits, placeOf, shown(script))]
  const { value, faults, places } = outcome
  const written = new Map(Object.entries(places))
  return {
    bundle,
    value,
    faults,
    // The nearest builder around the fault was called at a line that we know.
    placeOf: path => {
      const frames = pathsAbove(path).flatMap(each => written.get(each) ?? [])
      return frames.length === 0 ? undefined : placeOf(frames)
    },
  }
}

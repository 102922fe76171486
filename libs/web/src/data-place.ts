import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'

/**
 * What is wrong with where a node keeps its own files: beside the simulations they would be compiled, listed and served,
 * the fleet's secret among them. Below a hidden name nobody looks.
 */
export function dataPlaceFault(dataDir: string, simulations: string): string | undefined {
  const names = relative(realPlace(simulations), realPlace(dataDir))
  if (isAbsolute(names)) return undefined
  const [first = '', ...others] = names.split(sep)
  if (first === '..' || [first, ...others].some(name => name.startsWith('.'))) return undefined
  return `expected a folder outside the simulations (ONRUSH_SIMULATIONS, ${simulations}), or below a hidden name in it such as ".data", got ${dataDir}: move one of the two`
}

/** Through all links; what does not exist yet is where its nearest folder that does leads to. */
function realPlace(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(realPlace(above), basename(path))
  }
}

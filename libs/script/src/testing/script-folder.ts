import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import type { Fault } from '@onrush/protocol/problem'
import { afterAll } from 'vitest'
import { loadSimulation } from '../load-simulation.ts'
import type { LoadedScript, LoadOptions } from '../loaded.ts'

/** A folder that has nothing to do with this repository, as an author's may be. */
export function scriptFolder(): {
  folder: string
  cacheDir: string
  write(name: string, text: string): string
  load(name: string, text: string, options?: Partial<LoadOptions>): Promise<LoadedScript>
  /** The faults of a script that cannot be loaded, without the folder. */
  faults(name: string, text: string, options?: Partial<LoadOptions>): Promise<Fault[]>
} {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'onrush-script-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const cacheDir = join(folder, '.cache')
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  const load = (name: string, text: string, options: Partial<LoadOptions> = {}) =>
    loadSimulation(write(name, text), { cacheDir, ...options })
  const faults = async (name: string, text: string, options: Partial<LoadOptions> = {}) => {
    try {
      await load(name, text, options)
    } catch (error) {
      if (!(error instanceof OnrushError)) throw error
      return error.errors.map(({ path, message }) => ({ path: path.replaceAll(`${folder}/`, ''), message }))
    }
    throw new Error(`${name} was loaded`)
  }
  return { folder, cacheDir, write, load, faults }
}

import type { Dirent, Stats } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { unlessMissing } from '@onrush/protocol/missing-file'
import { SimulationName } from '@onrush/protocol/run-request'
import { holdsSimulation } from './holds-simulation.ts'

export interface FoundScript {
  /** What a start calls it. */
  readonly name: string
  /** In the folder. */
  readonly file: string
  readonly path: string
  /** Why no start can call it so. */
  readonly fault?: string
}

export interface FoundFolder {
  readonly scripts: readonly FoundScript[]
  /** All folders that may hold scripts, the root first: what has to be watched. */
  readonly folders: readonly string[]
}

const endings = new Set(['.ts', '.mts', '.js', '.mjs', '.yaml', '.yml', '.json'])
/** What lies beside simulations and is none: packages, hidden files, types, tests, and what its author marked with "_". */
const passedOver =
  /^([._]|node_modules$)|\.d\.m?ts$|\.(?:test|spec)\.m?[jt]s$|^(?:package|package-lock|tsconfig|jsconfig|deno|biome)\.json$/
/** A script is written by hand; larger ones are data. */
const longestScript = 4 * 1_048_576

/** Remembers which files are simulations, so that only what has changed is read again. */
export class ScriptFinder {
  readonly #folder: string
  readonly #apart: string | undefined
  #known = new Map<string, { stamp: string; holds: boolean }>()

  /** `apart`: a folder that is never looked into, wherever it lies. */
  constructor(folder: string, apart: string | undefined) {
    this.#folder = folder
    this.#apart = apart
  }

  async find(): Promise<FoundFolder> {
    const files: string[] = []
    const folders: string[] = []
    const root = await unlessMissing(realpath(this.#folder), this.#folder)
    const apart = this.#apart === undefined ? undefined : await unlessMissing(realpath(this.#apart), this.#apart)
    const walk = async (folder: string): Promise<void> => {
      if (join(root, relative(this.#folder, folder)) === apart) return
      folders.push(folder)
      for (const entry of await entriesOf(folder)) {
        if (passedOver.test(entry.name)) continue
        const path = join(folder, entry.name)
        if (entry.isDirectory()) await walk(path)
        else if (endings.has(extname(entry.name).toLowerCase()) && (await isOurs(entry, path, root))) files.push(path)
      }
    }
    await walk(this.#folder)

    const known = new Map<string, { stamp: string; holds: boolean }>()
    const scripts: FoundScript[] = []
    for (const path of files.sort()) {
      const stats = await statOf(path)
      if (stats === undefined || stats.size > longestScript) continue
      const stamp = `${stats.size} ${stats.mtimeMs}`
      const before = this.#known.get(path)
      const found = before?.stamp === stamp ? before : { stamp, holds: await holds(path) }
      known.set(path, found)
      if (found.holds) scripts.push(this.#scriptAt(path))
    }
    this.#known = known
    return { scripts: named(scripts), folders }
  }

  #scriptAt(path: string): FoundScript {
    const file = relative(this.#folder, path).split(sep).join('/')
    return { name: file.slice(0, -extname(file).length), file, path }
  }
}

/** Whether what lies at `gathered` would be a script, were it this file of the folder. */
export async function wouldBeScript(file: string, gathered: string): Promise<boolean> {
  if (!endings.has(extname(file).toLowerCase()) || file.split('/').some(name => passedOver.test(name))) return false
  const stats = await stat(gathered)
  return stats.size <= longestScript && holdsSimulation(file, await readFile(gathered, 'utf8'))
}

/** Each name must lead to one file, and be one that a request can say. */
function named(scripts: readonly FoundScript[]): FoundScript[] {
  const files = Map.groupBy(scripts, script => script.name)
  return [...files].flatMap(([name, [first, ...others]]) => {
    if (first === undefined) return []
    if (others.length > 0) {
      const all = [first, ...others].map(each => each.file).join(' and ')
      return [{ ...first, fault: `expected one file for each name, got ${all}: rename one of them` }]
    }
    if (SimulationName.safeParse(name).success) return [first]
    return [{ ...first, fault: 'expected a name of letters, digits, "_", "-" and "." without spaces: rename the file' }]
  })
}

/** A link to a file of the same folder is as good as the file (as in a mounted ConfigMap); one that leads out is none. */
async function isOurs(entry: Dirent, path: string, root: string): Promise<boolean> {
  if (entry.isFile()) return true
  if (!entry.isSymbolicLink()) return false
  // A link that leads to nothing is no script.
  const real = await realpath(path).catch(() => '')
  return real.startsWith(root + sep) && (await statOf(path))?.isFile() === true
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    // Removed while we walk, or never made: a fleet without scripts of its own is one that is sent inline ones.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch {
    // Removed while we walk.
    return undefined
  }
}

async function holds(path: string): Promise<boolean> {
  try {
    return holdsSimulation(path, await readFile(path, 'utf8'))
  } catch {
    // Removed meanwhile, or not ours to read: then it is listed with the loader's own words.
    return true
  }
}

import { readFile } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import { writeBundle } from './bundle-file.ts'
import { checkSimulation } from './check-simulation.ts'
import { dataModule } from './data-module.ts'
import { decode, encode } from './first-load/encode.ts'
import type { LoadedSimulation, LoadOptions, PlacedScript } from './loaded.ts'
import type { Read } from './read.ts'
import { readData } from './read-data.ts'
import { readScript } from './read-script.ts'
import { scriptError } from './script-error.ts'
import { shownFrom } from './shown.ts'
import { simulationName } from './simulation-name.ts'
import { typeCheck } from './type-check.ts'

type Language = 'typescript' | 'javascript' | 'yaml' | 'json'

const languages: { readonly [extension: string]: Language } = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.json': 'json',
}

function languageOf(file: string): Language {
  const language = languages[extname(file).toLowerCase()]
  if (language !== undefined) return language
  throw new OnrushError(
    'invalid',
    `expected a simulation that ends with ${Object.keys(languages).join(', ')}, got ${file}`,
  )
}

async function textOf(file: string, named: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'ENOENT') throw new OnrushError('not_found', `there is no simulation ${named} (${file})`, { cause })
    throw new OnrushError('invalid', `the simulation ${named} cannot be read: ${String(cause)}`, { cause })
  }
}

/** Checks what was read, and gives each fault its place in the file beside its JSON path. */
async function checkRead(read: Read, folder: string, named: string) {
  const checked = await checkSimulation(decode(read.value), folder)
  const found = Array.isArray(checked) ? checked : []
  const odd = new Set(read.faults.map(fault => fault.path))
  const faults = [...read.faults, ...found.filter(fault => !odd.has(fault.path))]
  if (faults.length === 0 && !Array.isArray(checked)) return checked
  return faults.map(({ path, message }) => ({ path: `${read.placeOf(path) ?? named} ${path}`, message }))
}

/**
 * Loads a simulation written in TypeScript, JavaScript, YAML or JSON. Its types, its bundling, its first load and its
 * data are checked; what is wrong is told all at once, each fault with its line.
 */
export async function loadSimulation(script: string, options: LoadOptions): Promise<PlacedScript> {
  const named = options.shownAs ?? script
  const file = resolve(script)
  const language = languageOf(file)
  // Awaited below, and beside it is work that may fail first.
  options.types?.catch(() => undefined)
  const source = await textOf(file, named)
  const shown = shownFrom(named, file)
  const folder = dirname(file)

  const read = async () => {
    if (language === 'yaml' || language === 'json') return readData(source, language, named)
    return readScript(file, options, shown)
  }
  const types = options.types ?? (language === 'typescript' ? typeCheck(file, shown) : Promise.resolve([]))
  const [typeFaults, found] = await Promise.all([types, read()])
  const checked = Array.isArray(found) ? found : await checkRead(found, folder, named)
  if (Array.isArray(found) || Array.isArray(checked) || typeFaults.length > 0) {
    throw scriptError(named, [typeFaults, Array.isArray(checked) ? checked : []])
  }
  const bundleFile = await writeBundle(found.bundle, options.cacheDir, file)
  const bundle = { ...found.bundle, file: bundleFile }
  const placeOf = (path: string): string | undefined => found.placeOf(path)
  return { name: simulationName(file), file, source, spec: found.value, bundle, placeOf, ...checked }
}

/** The same for a simulation that came as data, in a request: it has no folder, so it can name no files. */
export async function loadSpec(name: string, spec: unknown, cacheDir: string): Promise<LoadedSimulation> {
  const { value, faults } = encode(spec)
  const checked = faults.length > 0 ? [...faults] : await checkSimulation(value, undefined)
  if (Array.isArray(checked)) throw scriptError('the simulation', [checked], 'invalid')
  const bundle = dataModule(value)
  const file = await writeBundle(bundle, cacheDir, resolve(cacheDir, name))
  return { name, spec: value, bundle: { ...bundle, file }, ...checked }
}

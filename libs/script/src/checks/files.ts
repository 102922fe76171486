import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import { namedFiles } from '../named-files.ts'
import { protoImports } from '../proto-imports.ts'

/** Names as the script writes them, to where they lie. */
export type Files = { readonly [name: string]: string }

/** Finds every file that a simulation names, seen from the script's folder. An inline simulation has none. */
export async function checkFiles(simulation: Simulation, folder: string | undefined, faults: Fault[]): Promise<Files> {
  const found = new Map<string, string>()
  for (const { name, path } of namedFiles(simulation)) {
    if (folder === undefined) {
      faults.push({ path, message: `a simulation without a folder cannot name files, got "${name}"` })
      continue
    }
    const file = resolve(folder, name)
    const message = await unreadable(file)
    if (message === undefined) found.set(name, file)
    else faults.push({ path, message: `expected a file, ${message}: ${file}` })
  }
  if (folder !== undefined) {
    for (const [name, connection] of Object.entries(simulation.grpc ?? {})) {
      const imports = await protoImports(connection, folder)
      for (const [written, file] of imports.found) found.set(written, file)
      for (const missing of imports.missing) faults.push({ path: `$.grpc.${name}.proto`, message: missing })
    }
  }
  return Object.fromEntries(found)
}

async function unreadable(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).isFile() ? undefined : 'but this is none'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return code === 'ENOENT' ? 'but there is none' : `but it cannot be read (${code})`
  }
}

import { createReadStream, readFileSync, statSync } from 'node:fs'
import type { Settle } from './settle.ts'
import type { Files } from './tls-settings.ts'
import type { BodySource } from './transport.ts'

/** Held in memory up to this size, once per thread; beyond it a file is read anew for each sending. */
const heldUpTo = 1_048_576

/** The file that a step sends. Only names that were resolved for this run are read: a script is not to browse a host. */
export function openStepFile(name: string, field: string, files: Files, settle: Settle): Uint8Array | BodySource {
  const nothing = new Uint8Array(0)
  if (name.includes('{{')) {
    settle.fault(field, `expected the name of one file, got a template ${JSON.stringify(name)}`)
    return nothing
  }
  const path = files.get(name)
  if (path === undefined) {
    settle.fault(field, `there is no file "${name}" beside the script`)
    return nothing
  }
  try {
    const { size } = statSync(path)
    if (size <= heldUpTo) return readFileSync(path)
    return { length: size, open: () => createReadStream(path) }
  } catch (error) {
    settle.fault(field, `cannot read the file "${name}": ${error instanceof Error ? error.message : String(error)}`)
    return nothing
  }
}

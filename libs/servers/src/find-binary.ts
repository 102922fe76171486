import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'

/** The first of these programs that can be run, the earlier name in any directory before the later one. */
export function findBinary(names: readonly string[], directories: readonly string[]): string | undefined {
  return names.flatMap(name => directories.map(directory => join(directory, name))).find(isRunnable)
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    // Not there, or not ours to run: either way not the one.
    return false
  }
}

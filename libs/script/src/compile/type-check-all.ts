import { extname } from 'node:path'
import type { Fault } from '@onrush/protocol/problem'
import { shownFrom } from '../shown.ts'
import { shownFault, type TypeFault, typeCheck, typeFaults } from '../type-check.ts'
import { localImports } from './local-imports.ts'

export interface Checked {
  /** Absolute. */
  readonly script: string
  readonly shownAs: string
}

/** Whether the type checker has something to say of a file. */
export const isTyped = (file: string): boolean => /^\.m?ts$/i.test(extname(file))

/**
 * Checks many scripts in one run and gives each its own faults, those of the helpers it imports included. What cannot be
 * told apart (a fault in a package, or without a place) is found again by checking each alone: one script's fault must
 * not become another's.
 */
export async function typeCheckAll(
  scripts: readonly Checked[],
  folder: string,
  read?: (file: string) => Promise<string | undefined>,
): Promise<ReadonlyMap<string, readonly Fault[]>> {
  if (scripts.length === 0) return new Map()
  const paths = scripts.map(each => each.script)
  const faults = await typeFaults(paths, folder)
  const owned = new Set<TypeFault>()
  const found = new Map<string, Fault[]>()
  for (const { script, shownAs } of scripts) {
    const shown = shownFrom(shownAs, script)
    const files = new Set(faults.length === 0 ? [] : await localImports(script, read))
    const mine = faults.filter(fault => fault.file !== undefined && files.has(fault.file))
    for (const fault of mine) owned.add(fault)
    found.set(
      script,
      mine.map(fault => shownFault(fault, script, shown)),
    )
  }
  if (faults.some(fault => !owned.has(fault))) {
    for (const { script, shownAs } of scripts) found.set(script, await typeCheck(script, shownFrom(shownAs, script)))
  }
  return found
}

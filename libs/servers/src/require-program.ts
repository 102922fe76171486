import { OnrushError } from '@onrush/protocol/error'
import { canInstallDebianPackages, installDebianPackage } from './debian-package.ts'
import { findBinary } from './find-binary.ts'
import { installHint } from './install-hint.ts'
import type { Machine, Say } from './machine.ts'
import type { Program } from './program.ts'

/** The program's path: found, or installed where Debian's packages may be, or an error that says what to type. */
export async function requireProgram(program: Program, machine: Machine, say: Say): Promise<string> {
  const find = () => findBinary(program.names, [...machine.directories, ...(program.directories ?? [])])
  const found = find()
  if (found !== undefined) return found
  if (canInstallDebianPackages(machine)) {
    say(`${program.title} is not on this machine`)
    await installDebianPackage(program.packages.apt, machine, say)
    const installed = find()
    if (installed !== undefined) return installed
  }
  throw new OnrushError(
    'server_missing',
    `${program.title} is needed and not on this machine (looked for ${program.names.join(', ')}). Install it:\n${installHint(program)}`,
  )
}

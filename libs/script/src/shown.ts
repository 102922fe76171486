import { dirname, join, relative } from 'node:path'

/** A file as people see it in a fault: beside the script as they named the script. */
export type Shown = (file: string) => string

export function shownFrom(named: string, script: string): Shown {
  return file => (file === script ? named : join(dirname(named), relative(dirname(script), file)))
}

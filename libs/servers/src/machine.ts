import { delimiter } from 'node:path'
import process from 'node:process'

/** Tells a person what is being done on their machine. */
export type Say = (text: string) => void

/** What finding and installing depend on, as a value: a test describes another machine without touching this one. */
export interface Machine {
  /** Where programs are looked for, nearest first. */
  readonly directories: readonly string[]
  readonly root: boolean
  /** Where apt keeps what it knows of the archive; empty on a fresh container. */
  readonly aptLists: string
  /** The file that Debian's packages ask whether they may start their service. */
  readonly servicePolicy: string
  readonly env: Readonly<Record<string, string | undefined>>
}

// Servers often lie where an ordinary user's PATH does not look.
const beyondPath = [
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/opt/homebrew/sbin',
]

export const thisMachine: Machine = {
  directories: [...(process.env.PATH ?? '').split(delimiter).filter(directory => directory !== ''), ...beyondPath],
  root: process.getuid?.() === 0,
  aptLists: '/var/lib/apt/lists',
  servicePolicy: '/usr/sbin/policy-rc.d',
  env: process.env,
}

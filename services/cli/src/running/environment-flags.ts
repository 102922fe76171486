import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { OnrushError } from '@onrush/protocol/error'
import { suggest } from '@onrush/protocol/nearest'
import type { Environment, Simulation } from '@onrush/protocol/simulation'
import type { Read } from '../arguments/option.ts'
import { isTellingName } from './secrets.ts'

export type Pair = readonly [name: string, value: string]

/** `KEY=VALUE`; the value may hold more equals signs, or nothing. */
export const pair: Read<Pair> = text => {
  const found = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(text)
  if (found === null) return { problem: `expected KEY=VALUE with a name of letters, digits and _, got "${text}"` }
  return { value: [found[1] ?? '', found[2] ?? ''] }
}

function readEnvFile(file: string, cwd: string): Pair[] {
  try {
    const values = parseEnv(readFileSync(resolve(cwd, file), 'utf8'))
    return Object.entries(values).map(([name, value]) => [name, value ?? ''])
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    const detail = code === 'ENOENT' ? `there is no file ${file}` : `the file ${file} cannot be read: ${String(cause)}`
    throw new OnrushError('not_found', `--env-file: ${detail}`, { cause })
  }
}

export interface EnvironmentFlags {
  readonly environment: string | undefined
  readonly env: readonly Pair[]
  readonly 'env-file': string | undefined
}

export interface Chosen {
  /** The environment's name; the script's first one where none was asked for. */
  readonly name: string | undefined
  /** What the flags lay over it. */
  readonly over: Environment
  /** All of it together. */
  readonly whole: Environment
}

/** The environment of a run: the script's, under the file's variables, under those of the command line. */
export function chooseEnvironment(flags: EnvironmentFlags, simulation: Simulation, cwd: string): Chosen {
  const known = simulation.environments ?? {}
  const name = flags.environment ?? Object.keys(known)[0]
  const own = name === undefined ? {} : known[name]
  if (own === undefined) {
    const names = Object.keys(known)
    const hint = names.length === 0 ? 'the simulation declares none' : suggest(name ?? '', names)
    throw new OnrushError('invalid', `--env: no environment "${name}"; ${hint}`)
  }
  const file = flags['env-file'] === undefined ? [] : readEnvFile(flags['env-file'], cwd)
  const pairs = Object.fromEntries([...file, ...flags.env])
  const over: Environment = Object.fromEntries(
    Object.entries(pairs).map(([key, value]) => {
      const declared = own[key]
      const secret = typeof declared === 'object' && declared !== null && '$secret' in declared
      return [key, secret || isTellingName(key) ? { $secret: value } : value]
    }),
  )
  return { name, over, whole: { ...own, ...over } }
}

import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** `bare`: one GET again and again. `flow`: a templated header, JSON parsed, two assertions, one export. */
export type Task = 'bare' | 'flow'

export interface Load {
  readonly task: Task
  readonly url: string
  readonly sessions: number
  readonly seconds: number
  /** For files that a contender wants; gone after the run. */
  readonly folder: string
}

/** What a contender says of itself. */
export interface Said {
  readonly requests: number
  /** Requests per second over the time in which it sent some. */
  readonly perSecond: number
  readonly errors: number
}

export interface Contender {
  readonly name: string
  readonly tasks: readonly Task[]
  /** Why it cannot take part, or nothing. */
  prepare(): Promise<string | undefined>
  run(load: Load): Promise<Said & { readonly cpuSeconds: number }>
}

const execute = promisify(execFile)
const maxBuffer = 64 * 1_048_576

/** Runs a program on the clients' core alone, and gives what it printed and the CPU time it took. */
export async function onClientCore(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ stdout: string; cpuSeconds: number }> {
  // The shell adds up its children: threads and grandchildren are in its figures.
  const script = 'TIMEFORMAT="cpu %U %S"; time taskset -c 0 "$@"'
  const { stdout, stderr } = await execute('bash', ['-c', script, 'bash', command, ...args], { cwd, maxBuffer })
  const [, user, system] = /^cpu ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? []
  if (user === undefined || system === undefined) throw new Error(`${command}: no CPU time in ${stderr.slice(-500)}`)
  return { stdout, cpuSeconds: Number(user) + Number(system) }
}

/** Leaves the clients' core to the clients. */
export async function toServerCore(pid: number): Promise<void> {
  await execute('bash', ['-c', 'taskset -acp 1 "$1"', 'bash', String(pid)])
}

export async function isOnPath(name: string): Promise<boolean> {
  try {
    await execute('which', [name])
    return true
  } catch {
    // `which` has no other way to say no.
    return false
  }
}

/** Where npm packages that only this benchmark needs are put, once per machine. */
export async function installed(name: string, version: string): Promise<string> {
  const folder = join(tmpdir(), 'onrush-bench-tools', `${name}-${version}`)
  mkdirSync(folder, { recursive: true })
  const binary = join(folder, 'node_modules', '.bin', name)
  if (await isOnPath(binary)) return binary
  process.stderr.write(`installing ${name} ${version} into ${folder}\n`)
  const args = ['install', `${name}@${version}`, '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  await execute('npm', args, { cwd: folder, maxBuffer })
  return binary
}

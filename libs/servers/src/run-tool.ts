import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { OnrushError } from '@onrush/protocol/error'
import type { User } from './user.ts'

/** Runs a server's helper program to its end; what it printed comes with the error when it fails. */
export async function runTool(
  title: string,
  command: string,
  args: readonly string[],
  { cwd, user }: { cwd: string; user?: User },
): Promise<void> {
  // A home and temporary directory of root's would be closed to another user.
  const env = { PATH: process.env.PATH, HOME: cwd, TMPDIR: cwd, LC_ALL: 'C' }
  const child = spawn(command, args, { cwd, env, ...user, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const collect = (chunk: string) => {
    output += chunk
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const [code] = await once(child, 'close')
  if (code !== 0)
    throw new OnrushError('unavailable', `${title} failed:\n${output.trimEnd().split('\n').slice(-15).join('\n')}`)
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import { root } from './copy-tree.ts'

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface RunningCli {
  readonly ended: Promise<Ended>
  signal(signal: NodeJS.Signals): void
  /** Waits until the command has said so on its standard error. */
  said(text: string | RegExp): Promise<void>
}

/** The command as a person starts it, in a process of its own that is no terminal. */
export function startCli(args: readonly string[], options: { cwd?: string } = {}): RunningCli {
  // This Node first, so that the wrapper finds it whatever the machine's own is.
  const path = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
  const child = spawn(join(root, 'onrush'), args, { cwd: options.cwd ?? root, env: { ...process.env, PATH: path } })
  const written = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.err += text
  })
  let isOver = false
  const ended = once(child, 'close').then(([code]) => {
    isOver = true
    return { code, ...written }
  })
  return {
    ended,
    signal: signal => child.kill(signal),
    async said(text) {
      const begun = performance.now()
      while (!(typeof text === 'string' ? written.err.includes(text) : text.test(written.err))) {
        // Not when it has exited: its last words may still be on their way.
        if (isOver || performance.now() - begun > 60_000) {
          throw new Error(`expected ${text} on the standard error, got: ${written.err}${written.out}`)
        }
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
  }
}

export const cli = (args: readonly string[], options: { cwd?: string } = {}) => startCli(args, options).ended

/** A folder that is gone after the test, with these files in it. */
export async function folderWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onrush-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

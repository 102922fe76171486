import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'

/** Runs a Node program in our place: our terminal, our directory, its exit code. */
export async function runNode(script: string, args: readonly string[], io: Io): Promise<number> {
  const child = spawn(io.node, [script, ...args], { stdio: 'inherit', cwd: io.cwd, env: io.env })
  // A terminal's Ctrl-C reaches the child by itself; sent twice it would end at once what should end in good order.
  const stop = io.onSignal(signal => {
    if (signal !== 'SIGINT' || !io.out.tty) child.kill(signal)
  })
  try {
    const [code]: [number | null] = (await once(child, 'exit')) as [number | null]
    return code ?? exitCodes.stopped
  } finally {
    stop()
  }
}

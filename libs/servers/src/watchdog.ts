import { spawn } from 'node:child_process'

// Waits for the end of its input, which the kernel brings about however we end, SIGKILL included.
const script = `
read -r _
kill -TERM "$1" 2>/dev/null || exit 0
for _ in 1 2 3 4 5; do sleep 1; kill -0 "$1" 2>/dev/null || exit 0; done
kill -KILL "$1"
`

/** Ends a process after ours has ended, in whatever way. Returns a function that calls the watchdog off. */
export function watchOver(pid: number): () => void {
  // A session of its own: a terminal's Ctrl-C must not take the watchdog before what it watches.
  const dog = spawn('/bin/sh', ['-c', script, 'sh', `${pid}`], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  dog.unref()
  // Its input is a socket handle of ours that must not keep us running either.
  const input: unknown = dog.stdin
  if (input !== null && typeof input === 'object' && 'unref' in input && typeof input.unref === 'function')
    input.unref()
  return () => {
    dog.kill('SIGKILL')
  }
}

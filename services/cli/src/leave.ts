/** What it takes of a process. */
export interface Leaving {
  exitCode?: number | string | null | undefined
  readonly pid: number
  readonly env: NodeJS.ProcessEnv
  kill(pid: number, signal: string): boolean
  execve?(file: string, args: readonly string[], env: NodeJS.ProcessEnv): never
}

/**
 * Lets the process end with this code, whatever still holds it. A thread whose script fills its heap without a pause can
 * be neither ended nor waited for (V8 collects garbage between any two of its instructions), and `process.exit` waits
 * for all threads. To become another program ends them all, and this one answers our code.
 */
export function leave(self: Leaving, code: number, patienceMs = 3000): void {
  self.exitCode = code
  const force = (): void => {
    if (self.execve === undefined) self.kill(self.pid, 'SIGKILL')
    else self.execve('/bin/sh', ['sh', '-c', `exit ${code}`], self.env)
  }
  // Nothing waits for the timer itself: in a process that ends by itself it never comes.
  setTimeout(force, patienceMs).unref()
}

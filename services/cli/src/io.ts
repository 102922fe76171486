export interface Output {
  write(text: string): void
  /** Whether a person is likely watching: redrawn lines are for them alone. */
  readonly tty: boolean
  /** Whether colours may be used. */
  readonly colours: boolean
  readonly columns: number
  readonly rows: number
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Everything of the process that a command may touch, so that tests run commands without one. */
export interface Io {
  readonly out: Output
  readonly err: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The Node that runs us, for children that are Node programs too. */
  readonly node: string
  readonly nodeVersion: string
  /** Takes the signals over from the default handling until the returned function is called. */
  onSignal(listener: (signal: Signal) => void): () => void
}

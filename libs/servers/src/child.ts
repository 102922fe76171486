import { type ChildProcess, spawn } from 'node:child_process'
import { OnrushError } from '@onrush/protocol/error'
import type { User } from './user.ts'
import { watchOver } from './watchdog.ts'

export interface ChildOptions {
  /** As people call it, for errors. */
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly user?: User
  /** Matches the log once the server answers. */
  readonly ready: RegExp
  readonly readyWithinMs?: number
  /** What makes this server end in good order. */
  readonly stopSignal?: NodeJS.Signals
  readonly stopWithinMs?: number
  /** Hears everything it writes, as it comes. */
  readonly onOutput?: (text: string) => void
}

export interface Child {
  readonly pid: number
  /** What `ready` matched. */
  readonly announced: RegExpExecArray
  /** The last lines it wrote. */
  log(): string
  /** Settles when it has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Ends it in good order, and by force when that takes too long. */
  stop(): Promise<void>
  kill(): Promise<void>
}

/** Kept for errors; a server that talks a lot must not grow us. */
const logLimit = 16_384

/** Starts a server as our own child, answers once it is ready, and makes sure that it ends with us. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { title, command, args, cwd, env, user, stopSignal = 'SIGTERM', stopWithinMs = 15_000 } = options
  // A session of its own: Ctrl-C in the terminal is for us, who may still need the server while we wind up.
  const child = spawn(command, args, { cwd, env, ...user, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>(resolve => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  const log = keepLog(child, options.onOutput)
  const callOff = child.pid === undefined ? () => {} : watchOver(child.pid)
  ended.then(callOff, callOff)

  async function end(signal: NodeJS.Signals): Promise<void> {
    child.ref()
    child.kill(signal)
    const force = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
    await ended
    clearTimeout(force)
  }

  try {
    const announced = await untilReady(child, log, options)
    // From here on an unfinished server must not keep us running: who forgets it still ends, and it ends with us.
    child.unref()
    for (const stream of [child.stdout, child.stderr]) unref(stream)
    return {
      pid: child.pid ?? 0,
      announced,
      log: () => log.text,
      ended,
      stop: () => end(stopSignal),
      kill: () => end('SIGKILL'),
    }
  } catch (cause) {
    await end('SIGKILL')
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OnrushError('unavailable', `${title} did not start: ${reason}\n${lastLines(log.text)}`, { cause })
  }
}

interface Log {
  text: string
  onMore(): void
}

function keepLog(child: ChildProcess, onOutput: (text: string) => void = () => {}): Log {
  const log: Log = { text: '', onMore: () => {} }
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      log.text = (log.text + chunk).slice(-logLimit)
      onOutput(chunk)
      log.onMore()
    })
  }
  return log
}

function untilReady(
  child: ChildProcess,
  log: Log,
  { ready, readyWithinMs = 60_000 }: ChildOptions,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`not ready after ${readyWithinMs / 1000} s`)), readyWithinMs)
    const settle = () => {
      clearTimeout(limit)
      log.onMore = () => {}
    }
    log.onMore = () => {
      const match = ready.exec(log.text)
      if (match === null) return
      settle()
      resolve(match)
    }
    child.once('error', error => {
      settle()
      reject(error)
    })
    child.once('close', (code, signal) => {
      settle()
      reject(new Error(`it ended at once (${signal ?? `exit code ${code}`})`))
    })
  })
}

function unref(stream: unknown): void {
  if (stream !== null && typeof stream === 'object' && 'unref' in stream && typeof stream.unref === 'function')
    stream.unref()
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-15).join('\n')
}

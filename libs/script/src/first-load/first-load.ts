import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Answer, answerFd } from './answer.ts'

export interface LoadLimits {
  /** How long a script may take to load. */
  readonly timeMs: number
  /** How much it may take in memory, on V8's heap and beside it. */
  readonly memoryMb: number
}

export type Outcome = Answer | { readonly type: 'died'; readonly how: string; readonly stderr: string }
export type Env = { readonly [name: string]: string | undefined }

/** The watch inside of the child speaks first; this ends a child whose watch cannot. A busy machine starts one slowly. */
const graceMs = 10_000
const longestAnswer = 64 * 1_048_576
const longestStderr = 65_536

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

/** The first line, or what came before the end. The rest stays unread: a child's answer is one line. */
async function firstLine(pipe: Readable): Promise<string> {
  let line = ''
  pipe.setEncoding('utf8')
  for await (const chunk of pipe) {
    line += chunk
    if (line.endsWith('\n')) break
    if (line.length > longestAnswer) return ''
  }
  return line
}

const types: ReadonlySet<unknown> = new Set<Answer['type']>([
  'loaded',
  'no-default',
  'threw',
  'exited',
  'time',
  'memory',
])

/** A script can write into every pipe of its process; what is no answer is as good as none. */
export function answerOf(line: string): Answer | undefined {
  try {
    const answer = JSON.parse(line)
    return types.has(answer?.type) ? answer : undefined
  } catch {
    return undefined
  }
}

/** Imports a bundle in a process of its own and tells what became of it, whatever the script does there. */
export async function firstLoad(bundle: string, limits: LoadLimits, env: Env): Promise<Outcome> {
  const child = fork(main, [pathToFileURL(bundle).href, String(limits.timeMs), String(limits.memoryMb)], {
    execArgv: [`--max-old-space-size=${limits.memoryMb}`],
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
  })
  let isLate = false
  const backstop = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, limits.timeMs + graceMs)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    // Read on when there is enough: a full pipe would block the child.
    if (stderr.length < longestStderr) stderr += chunk
  })
  const exit = once(child, 'exit')
  const pipe = child.stdio[answerFd]
  try {
    const line = pipe instanceof Readable ? await firstLine(pipe) : ''
    const answer = line.endsWith('\n') ? answerOf(line) : undefined
    if (answer !== undefined) return answer
    const [code, signal] = await exit
    if (isLate) return { type: 'time', frames: [] }
    return { type: 'died', how: signal === null ? `exit code ${code}` : `signal ${signal}`, stderr }
  } finally {
    clearTimeout(backstop)
    child.kill('SIGKILL')
  }
}

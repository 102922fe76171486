import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { answerFd } from './answer.ts'
import { answerOf, type Env, firstLoad, type LoadLimits, type Outcome } from './first-load.ts'

/** A shared process that needs longer is not waited for: the script gets its full time in one of its own. */
const patienceMs = 2_000
/** Modules stay in a process for ever; a new one now and then keeps what scripts leave behind small. */
const loadsPerChild = 50

const main = fileURLToPath(new URL('../many-loads/main.ts', import.meta.url))

interface LoadingChild {
  readonly process: ChildProcess
  readonly lines: Interface
  loads: number
}

/**
 * Loads many scripts in few processes. Only a script that loads well there is taken at its word; any other is judged in
 * a process of its own, where nothing but itself can be the cause.
 */
export class LoaderPool {
  readonly #idle: LoadingChild[] = []
  readonly #memoryMb: number

  constructor(memoryMb: number) {
    this.#memoryMb = memoryMb
  }

  async load(bundle: string, limits: LoadLimits, env: Env): Promise<Outcome> {
    const shared = await this.#loadShared(bundle)
    return shared?.type === 'loaded' ? shared : await firstLoad(bundle, limits, env)
  }

  close(): void {
    for (const child of this.#idle.splice(0)) child.process.kill('SIGKILL')
  }

  async #loadShared(bundle: string): Promise<Outcome | undefined> {
    const child = this.#idle.pop() ?? (await this.#start())
    if (child === undefined) return undefined
    let timer: NodeJS.Timeout | undefined
    const { promise, resolve } = Promise.withResolvers<Outcome | undefined>()
    const onLine = (line: string) => resolve(answerOf(line))
    const onEnd = () => resolve(undefined)
    child.lines.once('line', onLine)
    child.process.once('exit', onEnd)
    try {
      timer = setTimeout(onEnd, patienceMs)
      child.process.send(pathToFileURL(bundle).href, error => {
        if (error !== null) onEnd()
      })
      const outcome = await promise
      const goesOn = outcome?.type === 'loaded' && ++child.loads < loadsPerChild
      if (goesOn) this.#idle.push(child)
      else child.process.kill('SIGKILL')
      return outcome
    } finally {
      clearTimeout(timer)
      child.lines.off('line', onLine)
      child.process.off('exit', onEnd)
    }
  }

  async #start(): Promise<LoadingChild | undefined> {
    const child = fork(main, [String(this.#memoryMb)], {
      execArgv: [`--max-old-space-size=${this.#memoryMb}`],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
    })
    // It may end at any time, by what a script does: then its script is loaded again.
    child.on('error', () => undefined)
    const pipe = child.stdio[answerFd]
    const ready = await Promise.race([once(child, 'message').then(() => true), once(child, 'exit').then(() => false)])
    if (!ready || !(pipe instanceof Readable)) return undefined
    return { process: child, lines: createInterface({ input: pipe }), loads: 0 }
  }
}

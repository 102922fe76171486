import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Job, Started } from '@onrush/protocol/job'
import type { Report } from '@onrush/protocol/report'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { type Redis, startRedis } from '@onrush/servers/redis'

const root = resolve(import.meta.dirname, '../..')

export interface Service {
  readonly id: string
  readonly url: string
  readonly child: ChildProcess
  readonly dataDir: string
  /** False once its process has ended. */
  readonly alive: boolean
  /** Everything it has logged. */
  log(): string
  /** As a crash would. */
  kill(): Promise<void>
  /** In good order; its exit code. */
  stop(): Promise<number | null>
}

export interface Answer<T = unknown> {
  readonly status: number
  readonly type: string
  readonly body: T
}

/** A fleet of real processes on a Redis of its own, with a target to aim at. */
export class Fleet {
  readonly folder: string
  readonly redis: Redis
  readonly target: DemoTarget
  readonly #services: Service[] = []

  private constructor(folder: string, redis: Redis, target: DemoTarget) {
    this.folder = folder
    this.redis = redis
    this.target = target
  }

  static async start(
    options: { workers?: number; reporters?: number; env?: Record<string, string> } = {},
  ): Promise<Fleet> {
    const folder = await mkdtemp(join(tmpdir(), 'onrush-fleet-'))
    const [redis, target] = await Promise.all([startRedis({ dataDir: join(folder, 'redis') }), startDemoTarget()])
    const fleet = new Fleet(folder, redis, target)
    const { workers = 0, reporters = 1, env = {} } = options
    await Promise.all([
      ...Array.from({ length: reporters }, (_, i) => fleet.reporter(`r${i + 1}`, env)),
      ...Array.from({ length: workers }, (_, i) => fleet.worker(`w${i + 1}`, env)),
    ])
    return fleet
  }

  reporter(id: string, env: Record<string, string> = {}): Promise<Service> {
    return this.#begin('reporter', id, env)
  }

  worker(id: string, env: Record<string, string> = {}): Promise<Service> {
    return this.#begin('worker', id, { ONRUSH_THREADS: '1', ...env })
  }

  service(id: string): Service {
    const found = this.#services.findLast(service => service.id === id)
    if (found === undefined) throw new Error(`there is no service ${id}`)
    return found
  }

  async stop(): Promise<void> {
    await Promise.all(this.#services.map(service => service.kill()))
    await Promise.all([this.redis.stop(), this.target.stop()])
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  async #begin(kind: 'reporter' | 'worker', id: string, env: Record<string, string>): Promise<Service> {
    const dataDir = join(this.folder, id)
    const child = spawn(process.execPath, [join(root, `services/${kind}/src/main.ts`)], {
      env: {
        PATH: process.env.PATH,
        REDIS_URL: this.redis.url,
        ONRUSH_ID: id,
        ONRUSH_PORT: '0',
        ONRUSH_DATA: dataDir,
        ONRUSH_SIMULATIONS: join(root, 'test/support/fleet-simulations'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let log = ''
    const ready = Promise.withResolvers<string>()
    const exited = new Promise<number | null>(done => child.once('exit', done))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const url = / on (http:\S+)/.exec(text)?.[1]
      if (url !== undefined) ready.resolve(url)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
    const early = exited.then(code => Promise.reject(new Error(`${kind} ${id} ended with ${code}:\n${log}`)))
    const url = await Promise.race([ready.promise, early])
    // From here on its end is the test's own doing, or shows in what the test asks it.
    early.catch(() => undefined)
    const service: Service = {
      id,
      url,
      child,
      dataDir,
      get alive() {
        return child.exitCode === null && child.signalCode === null
      },
      log: () => log,
      async kill() {
        child.kill('SIGKILL')
        await exited
      },
      async stop() {
        child.kill('SIGTERM')
        return await exited
      },
    }
    this.#services.push(service)
    return service
  }
}

/** One request, and its answer with the body read as what it says it is. */
export async function ask<T = unknown>(
  base: { readonly url: string } | string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const response = await fetch(`${typeof base === 'string' ? base : base.url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const type = response.headers.get('content-type') ?? ''
  const text = await response.text()
  return { status: response.status, type, body: (text !== '' && type.includes('json') ? JSON.parse(text) : text) as T }
}

export async function start(
  reporter: { readonly url: string },
  path: '/api/single' | '/api/simulation',
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Started> {
  const answer = await ask(reporter, 'POST', path, body, headers)
  if (answer.status !== 202) throw new Error(`the start was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return Started.parse(answer.body)
}

export async function jobOf(reporter: { readonly url: string }, runId: string): Promise<Job> {
  return Job.parse((await ask(reporter, 'GET', `/api/job/${runId}`)).body)
}

const over = ['finished', 'failed', 'stopped']
const patienceMs = 120_000

/** Looks until the job is as wished; a limit that is far beyond what it should take. */
export async function until(
  reporter: { readonly url: string },
  runId: string,
  wished: (job: Job) => boolean,
  limitMs = patienceMs,
): Promise<Job> {
  const end = performance.now() + limitMs
  let job = await jobOf(reporter, runId)
  while (!wished(job)) {
    if (performance.now() > end) throw new Error(`after ${limitMs} ms the run is not as wished: ${JSON.stringify(job)}`)
    await sleep(100)
    job = await jobOf(reporter, runId)
  }
  return job
}

export const ended = (reporter: { readonly url: string }, runId: string, limitMs = patienceMs): Promise<Job> =>
  until(reporter, runId, job => over.includes(job.status), limitMs)

export async function reportOf(reporter: { readonly url: string }, runId: string): Promise<Report> {
  const answer = await ask<Report>(reporter, 'GET', `/report/${runId}/report.json`)
  if (answer.status !== 200) throw new Error(`the report was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** What was planned went one of four ways, and what was started one of two. */
export function isBalanced({ totals }: Pick<Report, 'totals'>): boolean {
  const { planned, started, dropped, cancelled, missed, finished, interrupted } = totals
  return planned === started + dropped + cancelled + missed && started === finished + interrupted
}

/** Everything a websocket says until it is closed. */
export function watch(
  base: { readonly url: string },
  path: string,
): { messages: { type: string }[]; closed: Promise<number> } {
  const messages: { type: string }[] = []
  const socket = new WebSocket(`${base.url.replace('http', 'ws')}${path}`)
  socket.onmessage = event => messages.push(JSON.parse(String(event.data)))
  const closed = new Promise<number>(done => {
    socket.onclose = event => done(event.code)
  })
  return { messages, closed }
}

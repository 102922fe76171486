import { setTimeout as sleep } from 'node:timers/promises'
import { fromProblem, OnrushError } from '@onrush/protocol/error'
import { Job, Started } from '@onrush/protocol/job'
import { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import { Problem } from '@onrush/protocol/problem'

const callMs = 60_000
const againMs = 1_000

const over = new Set<Job['status']>(['finished', 'failed', 'stopped'])

/** A reporter as a program calls it. */
export class ReporterClient {
  readonly #url: string
  readonly #headers: Record<string, string>

  constructor(url: string, token: string | undefined) {
    if (!/^https?:\/\/[^/\s]+/.test(url)) {
      throw new OnrushError('invalid', `expected a reporter's URL like "http://host:7070", got "${url}"`)
    }
    this.#url = url.replace(/\/+$/, '')
    this.#headers = token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }
  }

  urlOf(path: string): string {
    return `${this.#url}${path}`
  }

  /** Safe to try again: the key makes a second start of the same run none. */
  async start(path: '/api/single' | '/api/simulation', request: unknown): Promise<Started> {
    const headers = { 'idempotency-key': crypto.randomUUID(), 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(request) }
    try {
      return Started.parse(await this.#json(path, init))
    } catch (error) {
      if (!isPassing(error)) throw error
      await sleep(againMs)
      return Started.parse(await this.#json(path, init))
    }
  }

  async stop(runId: string): Promise<void> {
    await this.#json(`/api/job/${runId}`, { method: 'DELETE' })
  }

  async job(runId: string): Promise<Job> {
    return Job.parse(await this.#json(`/api/job/${runId}`))
  }

  /** A file of a report; nothing where there is none. */
  async file(path: string): Promise<string | undefined> {
    const response = await this.#fetch(path)
    if (response.ok) return await response.text()
    await response.body?.cancel()
    return undefined
  }

  /** Everything the monitor says until the run is over. A reporter that goes away is asked again until it is back. */
  async follow(
    runId: string,
    hear: (message: JobMonitorMessage) => void,
    signal: AbortSignal,
  ): Promise<Job | undefined> {
    while (!signal.aborted) {
      await this.#listen(`/api/job/${runId}/monitor`, hear, signal)
      const job = await this.job(runId).catch((error: unknown) => {
        if (!isPassing(error)) throw error
        return undefined
      })
      if (job !== undefined && over.has(job.status)) return job
      await sleep(againMs, undefined, { signal }).catch(() => undefined)
    }
    return undefined
  }

  #listen(path: string, hear: (message: JobMonitorMessage) => void, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const socket = new WebSocket(this.urlOf(path).replace(/^http/, 'ws'), { headers: this.#headers })
    const end = () => socket.close()
    signal.addEventListener('abort', end, { once: true })
    socket.addEventListener('message', event => {
      const message = JobMonitorMessage.safeParse(JSON.parse(String(event.data)))
      if (message.success) hear(message.data)
    })
    // What kept it from opening, or ended it, is asked of the run's record afterwards.
    socket.addEventListener('error', () => resolve())
    socket.addEventListener('close', () => resolve())
    return promise.finally(() => signal.removeEventListener('abort', end))
  }

  async #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await fetch(this.urlOf(path), {
        ...init,
        headers: { ...this.#headers, ...init.headers },
        signal: AbortSignal.timeout(callMs),
      })
    } catch (cause) {
      throw new OnrushError('unavailable', `the reporter at ${this.#url} cannot be reached: is it running there?`, {
        cause,
      })
    }
  }

  async #json(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await this.#fetch(path, init)
    const text = await response.text()
    const body = parsed(text)
    if (response.ok) return body
    const problem = Problem.safeParse(body)
    if (problem.success) throw fromProblem(problem.data)
    throw new OnrushError('unavailable', `${this.urlOf(path)} answered ${response.status}: is this a reporter?`)
  }
}

/** What may be better in a second. */
const isPassing = (error: unknown): boolean => error instanceof OnrushError && error.code === 'unavailable'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Something that is no reporter answered; the caller says so with the status.
    return undefined
  }
}

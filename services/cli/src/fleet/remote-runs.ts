import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ReporterApi } from '@onrush/protocol/client'
import { OnrushError } from '@onrush/protocol/error'
import type { Job, Started } from '@onrush/protocol/job'
import { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import type { SimulationRequest } from '@onrush/protocol/run-request'
import { reporterApi } from './reporter-api.ts'

const againMs = 1_000
/** A monitor speaks each second; one that says nothing for so long is gone, whatever its connection looks like. */
const silentMs = 15_000

const over = new Set<Job['status']>(['finished', 'failed', 'stopped'])

/** Runs on a reporter, as somebody far away begins them, follows them to their end, and fetches what they leave. */
export class RemoteRuns {
  readonly #url: string
  readonly #token: string | undefined
  readonly #api: Client<ReporterApi>

  constructor(url: string, token: string | undefined) {
    if (!/^https?:\/\/[^/\s]+/.test(url)) {
      throw new OnrushError('invalid', `expected a reporter's URL like "http://host:7070", got "${url}"`)
    }
    this.#url = url.replace(/\/+$/, '')
    this.#token = token
    this.#api = reporterApi(this.#url, token)
  }

  urlOf(path: string): string {
    return `${this.#url}${path}`
  }

  /** Safe to try again: the key makes a second start of the same run none. */
  async start(body: SimulationRequest): Promise<Started> {
    const input = { body, headers: { 'idempotency-key': crypto.randomUUID() } }
    try {
      return await this.#api.call('POST /api/simulation', input)
    } catch (error) {
      if (!isPassing(error)) throw error
      await sleep(againMs)
      return await this.#api.call('POST /api/simulation', input)
    }
  }

  async stop(runId: string): Promise<void> {
    await this.#api.call('DELETE /api/job/:runId', { params: { runId } })
  }

  /** A file of a run's report; nothing where there is none. */
  async reportFile(runId: string, file: string): Promise<string | undefined> {
    try {
      return await this.#api.text('GET /report/:runId/:file', { params: { runId, file } })
    } catch (error) {
      if (error instanceof OnrushError && error.code === 'not_found') return undefined
      throw error
    }
  }

  /** Everything the monitor says until the run is over. A reporter that goes away is asked again until it is back. */
  async follow(
    runId: string,
    hear: (message: JobMonitorMessage) => void,
    signal: AbortSignal,
  ): Promise<Job | undefined> {
    while (!signal.aborted) {
      await this.#listen(`/api/job/${runId}/monitor`, hear, signal)
      const job = await this.#api.call('GET /api/job/:runId', { params: { runId } }).catch((error: unknown) => {
        if (!isPassing(error)) throw error
        return undefined
      })
      if (job !== undefined && over.has(job.status)) return job
      await sleep(againMs, undefined, { signal }).catch(() => {
        // Whoever leaves does not wait; the loop sees it.
      })
    }
    return undefined
  }

  #listen(path: string, hear: (message: JobMonitorMessage) => void, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const token = this.#token
    const headers: Record<string, string> =
      token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }
    const socket = new WebSocket(this.urlOf(path).replace(/^http/, 'ws'), { headers })
    const end = () => {
      socket.close()
      // A handshake that nobody answers would not end by that.
      resolve()
    }
    const silence = setTimeout(end, silentMs)
    signal.addEventListener('abort', end, { once: true })
    socket.addEventListener('message', event => {
      silence.refresh()
      const message = JobMonitorMessage.safeParse(JSON.parse(String(event.data)))
      if (message.success) hear(message.data)
    })
    // What kept it from opening, or ended it, is asked of the run's record afterwards.
    socket.addEventListener('error', () => resolve())
    socket.addEventListener('close', () => resolve())
    return promise.finally(() => {
      clearTimeout(silence)
      signal.removeEventListener('abort', end)
    })
  }
}

/** What may be better in a second. */
const isPassing = (error: unknown): boolean => error instanceof OnrushError && error.code === 'unavailable'

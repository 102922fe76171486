import type { Job } from '@onrush/protocol/job'
import type { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import type { Point, Summary, ThresholdResult } from '@onrush/protocol/summary'
import type { LiveFigures, LiveRow, LiveState } from './live-state.ts'

const phases = { queued: 'preparing', starting: 'preparing', running: 'running', gathering: 'teardown' } as const

/** A run on a fleet as its monitor tells it, in the shape that the live view draws. */
export class RemoteState {
  readonly #title: string
  #job: Job | undefined
  #elapsedMs = 0
  #heardAt = 0
  #figures: LiveFigures | undefined
  #rows: readonly LiveRow[] = []
  #thresholds: readonly ThresholdResult[] = []
  #counts = new Map<string, number>()

  constructor(title: string) {
    this.#title = title
  }

  get job(): Job | undefined {
    return this.#job
  }

  hear(message: JobMonitorMessage, now: number): void {
    switch (message.type) {
      case 'snapshot':
        this.#job = message.job
        this.#second(message, message.series.at(-1), now)
        return
      case 'second':
        if (this.#job !== undefined) this.#job = { ...this.#job, status: message.status, workers: message.workers }
        this.#second(message, message.point, now)
        return
      case 'state':
        this.#job = message.job
        return
      case 'trace':
        return
      default:
        message satisfies never
    }
  }

  state(now: number): LiveState {
    const { status = 'queued', plan } = this.#job ?? {}
    const running = status === 'running'
    const elapsedMs = this.#elapsedMs + (running && this.#heardAt > 0 ? Math.min(1_500, now - this.#heardAt) : 0)
    const durationMs = plan?.durationMs ?? null
    return {
      title: this.#title,
      phase: status in phases ? phases[status as keyof typeof phases] : 'running',
      elapsedMs,
      durationMs,
      progress: durationMs === null || durationMs === 0 ? undefined : Math.min(1, elapsedMs / durationMs),
      figures: this.#figures,
      rows: this.#rows,
      thresholds: this.#thresholds,
    }
  }

  #second(
    heard: { elapsedMs: number; summary: Summary; thresholds: ThresholdResult[] },
    point: Point | undefined,
    now: number,
  ): void {
    const { elapsedMs, summary, thresholds } = heard
    const spanMs = Math.max(1, elapsedMs - this.#elapsedMs)
    this.#elapsedMs = elapsedMs
    this.#heardAt = now
    this.#thresholds = thresholds
    if (summary.whole.count === 0) return
    const { whole, sessions, generator } = summary
    this.#figures = {
      requests: whole.count,
      failed: whole.ko,
      failedShare: whole.failed,
      active: Math.max(0, sessions.active),
      dropped: sessions.dropped,
      lagP99: point?.sendLag ?? generator.sendLag?.p99,
      perSecond: point?.rate ?? whole.rate,
      due: point?.duration?.p95,
      send: point?.service?.p95,
    }
    this.#rows = summary.steps.map(({ scenario, step, count, failed, duration, service }) => {
      const key = JSON.stringify([scenario, step])
      const before = this.#counts.get(key) ?? 0
      this.#counts.set(key, count)
      const perSecond = ((count - before) * 1000) / spanMs
      return { step, count, failed, perSecond, due: duration?.p95, send: service?.p95 }
    })
  }
}

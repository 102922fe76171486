import type { RunPhase } from '@onrush/engine/run'
import type { Histogram } from '@onrush/metrics/histogram'
import type { Frame } from '@onrush/protocol/frame'
import type { ReportPlan } from '@onrush/protocol/report'
import { inScriptOrder } from '@onrush/protocol/step-order'
import type { ThresholdResult } from '@onrush/protocol/summary'
import { planned } from '@onrush/report/planned'
import type { RunAccount } from '@onrush/report/run-account'
import { keyOf, Recent, type Window } from './recent.ts'

interface Pace {
  /** Of the last seconds; latencies are the p95, in milliseconds. */
  readonly perSecond: number
  readonly due: number | undefined
  readonly send: number | undefined
}

export interface LiveRow extends Pace {
  readonly step: string
  readonly count: number
  readonly failed: number
}

export interface LiveFigures extends Pace {
  readonly requests: number
  readonly failed: number
  readonly failedShare: number
  readonly active: number
  readonly dropped: number
  readonly lagP99: number | undefined
}

/** All that the live view shows, so that drawing it is a pure function. */
export interface LiveState {
  readonly title: string
  readonly phase: RunPhase | undefined
  readonly elapsedMs: number
  readonly durationMs: number | null
  /** 0 to 1 by the plan: by time, or by sessions where these decide. Nothing is known of an endless plan. */
  readonly progress: number | undefined
  /** Nothing before the first second is over. */
  readonly figures: LiveFigures | undefined
  readonly rows: readonly LiveRow[]
  readonly thresholds: readonly ThresholdResult[]
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
const at = (histogram: Histogram, percent: number) =>
  histogram.count === 0 ? undefined : histogram.percentile(percent) / 1000

const paceOf = (window: Window | undefined, spanMs: number): Pace => ({
  perSecond: ((window?.due.count ?? 0) * 1000) / spanMs,
  due: window === undefined ? undefined : at(window.due, 95),
  send: window === undefined ? undefined : at(window.send, 95),
})

/** Follows a run. Numbers change with the frames, once a second; time passes in between. */
export class LiveRun {
  readonly #title: string
  readonly #recent = new Recent()
  #phase: RunPhase | undefined
  #account: RunAccount | undefined
  #plan: ReportPlan | undefined
  #finished = 0
  #figures: LiveFigures | undefined
  #rows: readonly LiveRow[] = []

  constructor(title: string) {
    this.#title = title
  }

  phase(phase: RunPhase): void {
    this.#phase = phase
  }

  begin(account: RunAccount): void {
    this.#account = account
    this.#plan = planned(account.header.populations, account.header.seed)
  }

  frame(frame: Frame): void {
    const account = this.#account
    if (account === undefined) return
    this.#recent.add(frame)
    const { whole, lag, steps, spanMs } = this.#recent.read()
    const all = [...account.totals.counts.steps()].filter(({ count }) => count > 0)
    this.#rows = inScriptOrder(all, account.header.steps).map(step => ({
      step: step.step,
      count: step.count,
      failed: share(step.ko.duration.count, step.count),
      ...paceOf(steps.get(keyOf(step)), spanMs),
    }))
    const requests = all.reduce((sum, { count }) => sum + count, 0)
    const failed = all.reduce((sum, { ko }) => sum + ko.duration.count, 0)
    const sessions = { active: 0, finished: 0, dropped: 0 }
    for (const { sessions: own } of account.totals.counts.populations()) {
      sessions.active += own.started - own.finished - own.interrupted
      sessions.finished += own.finished
      sessions.dropped += own.dropped
    }
    this.#finished = sessions.finished
    this.#figures = {
      requests,
      failed,
      failedShare: share(failed, requests),
      active: Math.max(0, sessions.active),
      dropped: sessions.dropped,
      lagP99: at(lag, 99),
      ...paceOf(whole, spanMs),
    }
  }

  state(elapsedMs: number): LiveState {
    return {
      title: this.#title,
      phase: this.#phase,
      elapsedMs,
      durationMs: this.#plan?.durationMs ?? null,
      progress: this.#progress(elapsedMs),
      figures: this.#figures,
      rows: this.#rows,
      thresholds: this.#account?.thresholds() ?? [],
    }
  }

  #progress(elapsedMs: number): number | undefined {
    const { durationMs = null, arrivals = null, populations = [] } = this.#plan ?? {}
    if (populations.some(({ kind }) => kind === 'iterations')) {
      return arrivals === null || arrivals === 0 ? undefined : Math.min(1, this.#finished / arrivals)
    }
    if (durationMs === null || durationMs === 0) return undefined
    return Math.min(1, elapsedMs / durationMs)
  }
}

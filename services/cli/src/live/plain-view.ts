import { count, duration, latency, plainSpaces, rate, share } from '@onrush/protocol/figures'
import type { Output } from '../io.ts'
import type { View } from '../running/view.ts'
import { LiveRun, type LiveState } from './live-state.ts'

const everyMs = 5000

export function progressLine({ elapsedMs, durationMs, progress, figures }: LiveState): string {
  const ms = (value: number | undefined) => (value === undefined ? '–' : latency(value))
  const of = durationMs === null ? '' : ` of ${duration(durationMs)}`
  const parts = [
    `${duration(elapsedMs)}${of}${progress === undefined ? '' : `, ${Math.floor(progress * 100)} %`}`,
    ...(figures === undefined
      ? []
      : [
          `${count(figures.active)} active`,
          `${count(figures.requests)} requests, ${rate(figures.perSecond)}`,
          `p95 ${ms(figures.due)} due, ${ms(figures.send)} send`,
          `failed ${share(figures.failedShare)}`,
        ]),
  ]
  return plainSpaces(parts.join('; '))
}

/** For a log: a line each few seconds. */
export function openPlainView(title: string, err: Output): View {
  const run = new LiveRun(title)
  let begun = 0
  let said = 0
  return {
    phase(phase) {
      run.phase(phase)
      if (phase !== 'running') err.write(`${title}: ${phase}\n`)
    },
    begin(account) {
      begun = performance.now()
      run.begin(account)
      err.write(`${title}: running as ${account.header.runId}\n`)
    },
    frame(frame) {
      run.frame(frame)
      if (frame.to - said < everyMs) return
      said = Math.floor(frame.to / everyMs) * everyMs
      err.write(`${progressLine(run.state(performance.now() - begun))}\n`)
    },
    note: text => err.write(`${text}\n`),
    close: () => undefined,
  }
}

/** For who asked for quiet: only what must be said. */
export function openQuietView(err: Output): View {
  return {
    phase: () => undefined,
    begin: () => undefined,
    frame: () => undefined,
    note: text => err.write(`${text}\n`),
    close: () => undefined,
  }
}

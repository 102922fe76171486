import { summarise } from '@onrush/metrics/summary'
import { Totals } from '@onrush/metrics/totals'
import type { JobWorker } from '@onrush/protocol/job'
import type { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import type { Summary } from '@onrush/protocol/summary'
import type { RunAccount } from '@onrush/report/run-account'

const busiestSteps = 200
const latestSamples = 20
const mostFailures = 100

const nothing = {
  planned: 0,
  started: 0,
  finished: 0,
  interrupted: 0,
  dropped: 0,
  cancelled: 0,
  missed: 0,
  active: 0,
  requests: 0,
  failed: 0,
}

/** What a snapshot and every second have in common. */
export type SoFar = Omit<
  Extract<JobMonitorMessage, { type: 'snapshot' }>,
  'type' | 'job' | 'header' | 'plan' | 'series' | 'stepSeries'
>

const nothingYet: SoFar = {
  elapsedMs: 0,
  totals: nothing,
  summary: summarise(new Totals(), { elapsedMs: 0 }),
  thresholds: [],
  generator: { valid: true, reasons: [], warnings: [], sentence: 'Nothing has been sent yet.', missed: 0 },
  failures: [],
  parts: [],
}

/** How a run stands, in the size of a message: what is left out is in the report. */
export function soFar(account: RunAccount | undefined, workers: readonly JobWorker[]): SoFar {
  if (account === undefined) return nothingYet
  const { elapsedMs } = account.totals
  const stands = account.soFar(elapsedMs, workers)
  return {
    elapsedMs,
    ...stands,
    summary: shortened(stands.summary),
    failures: stands.failures.slice(0, mostFailures),
  }
}

function shortened(summary: Summary): Summary {
  const { steps, samples } = summary
  return {
    ...summary,
    steps: steps.length <= busiestSteps ? steps : steps.toSorted((a, b) => b.count - a.count).slice(0, busiestSteps),
    samples: samples.toSorted((a, b) => b.at - a.at).slice(0, latestSamples),
  }
}

import type { Job, JobTotals, JobWorker, RunState, Verdict } from '@onrush/protocol/job'
import type { Failure, GeneratorHealth, Report, ReportPlan, ReportWorker, StepSeries } from '@onrush/protocol/report'
import type { RunHeader } from '@onrush/protocol/run-log'
import type { Point, Summary, ThresholdResult } from '@onrush/protocol/summary'
import { crossings, type RunEvent } from './events.ts'
import type { Traced } from './traced.ts'

/** A run as it is shown, whether it goes on or lies in a report: the same page at different times. */
export interface RunView {
  readonly runId: string
  readonly name: string
  readonly status: RunState
  readonly verdict?: Verdict | undefined
  readonly error?: string | undefined
  readonly createdAt?: string | undefined
  readonly startedAt?: string | undefined
  readonly elapsedMs: number
  readonly stopped?: Report['stopped']
  readonly run?: RunHeader | undefined
  readonly plan: ReportPlan
  readonly totals?: JobTotals | undefined
  readonly summary?: Summary | undefined
  readonly thresholds: readonly ThresholdResult[]
  readonly generator?: GeneratorHealth | undefined
  readonly failures: readonly Failure[]
  readonly workers: readonly ReportWorker[]
  /** Those that the run's job names, before anything was counted. */
  readonly reserved: readonly JobWorker[]
  readonly startSkewMs?: number | undefined
  readonly notes: readonly string[]
  readonly events: readonly RunEvent[]
  readonly series: readonly Point[]
  readonly stepSeries: readonly StepSeries[]
  readonly distribution: Report['distribution']
  readonly books: Report['books']
  /** Of a verbose run: what its sessions did, the latest last. */
  readonly traces: readonly Traced[]
}

export const isOver = (status: RunState): boolean =>
  status === 'finished' || status === 'failed' || status === 'stopped'

export function viewOfReport(report: Report): RunView {
  const { run, workers, stopped, thresholds } = report
  return {
    ...report,
    runId: run.runId,
    name: run.name,
    createdAt: undefined,
    startedAt: run.startedAt,
    reserved: [],
    traces: [],
    events: [
      ...(stopped === undefined ? [] : [{ at: Math.max(0, stopped.at), kind: 'stop' as const, text: 'stopped' }]),
      ...workers.flatMap(({ id, lost }) =>
        lost === undefined ? [] : [{ at: lost.at, kind: 'lost' as const, text: `${id} lost` }],
      ),
      ...crossings(thresholds),
    ],
  }
}

const nothingPlanned: ReportPlan = { durationMs: null, arrivals: null, populations: [], rate: [], users: [] }

/** What is known of a run before its monitor has said anything. */
export function viewOfJob(job: Job): RunView {
  return {
    runId: job.runId,
    name: job.name,
    status: job.status,
    verdict: job.verdict,
    error: job.error,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    elapsedMs: 0,
    plan: { ...nothingPlanned, ...job.plan },
    totals: job.totals,
    thresholds: [],
    failures: [],
    workers: [],
    reserved: job.workers,
    notes: [],
    events: [],
    series: [],
    stepSeries: [],
    distribution: [],
    books: [],
    traces: [],
  }
}

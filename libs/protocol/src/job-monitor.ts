import { z } from 'zod'
import { Job, JobTotals, JobWorker, RunState } from './job.ts'
import { RunId } from './node.ts'
import { Failure, GeneratorHealth, ReportPlan, ReportWorker, StepSeries } from './report.ts'
import { RunHeader } from './run-log.ts'
import { Point, Summary, ThresholdResult } from './summary.ts'
import { TraceMessage } from './trace.ts'

/** What has been counted so far, all workers together. */
const soFar = {
  elapsedMs: z.number().nonnegative().describe('since the start instant'),
  totals: JobTotals,
  summary: Summary.describe('of the whole run so far; the 200 busiest steps and the 20 latest samples'),
  thresholds: z.array(ThresholdResult),
  generator: GeneratorHealth,
  failures: z.array(Failure).describe('the 100 most frequent kinds'),
  parts: z.array(ReportWorker).describe("each worker's part so far; the books of it come with the report"),
}

/**
 * What a run's monitor websocket says. Each message makes the ones before it stale, so a client that reads slowly gets
 * the latest only, and misses points but no totals.
 */
export const JobMonitorMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('snapshot'),
    job: Job,
    header: RunHeader.optional().describe('once workers have been found'),
    plan: ReportPlan,
    series: z.array(Point).describe('the course so far; neighbours joined in a long run'),
    stepSeries: z.array(StepSeries).describe('likewise, of each step'),
    ...soFar,
  }),
  z.strictObject({
    type: z.literal('second'),
    runId: RunId,
    status: RunState,
    workers: z.array(JobWorker),
    point: Point.optional().describe('the last whole second; takes the place of what it covers'),
    stepPoints: z
      .array(StepSeries)
      .describe('the last two points of each step, which take the place of those whose time they cover'),
    ...soFar,
  }),
  TraceMessage,
  z
    .strictObject({ type: z.literal('state'), job: Job })
    .describe('the run has changed its state; after the last one the socket is closed'),
])
export type JobMonitorMessage = z.infer<typeof JobMonitorMessage>

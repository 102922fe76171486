import { z } from 'zod'
import { Frame } from './frame.ts'
import { JobTotals, Verdict } from './job.ts'
import { PopulationBooks } from './plan.ts'
import { RunEnd, RunHeader, WorkerEnd } from './run-log.ts'
import { GeneratorVerdict, Point, Summary, ThresholdResult } from './summary.ts'

/** Raised whenever an older reader would understand a report wrongly. */
export const reportVersion = 1

const count = z.int().nonnegative()
const ms = z.number().nonnegative()
const share = z.number().min(0).max(1)
const Place = { scenario: z.string(), step: z.string() }

export const Failure = z.strictObject({
  ...Place,
  kind: z.string(),
  count,
  firstAt: ms.describe('begin of the second it was first counted in, since the start'),
  lastAt: ms.describe('end of the second it was last counted in'),
})
export type Failure = z.infer<typeof Failure>

export const GeneratorHealth = z.strictObject({
  ...GeneratorVerdict.shape,
  sentence: z.string().describe('the verdict in plain words'),
  missed: count.describe('arrivals of workers that were lost'),
})
export type GeneratorHealth = z.infer<typeof GeneratorHealth>

export const PlannedPopulation = z.strictObject({
  name: z.string(),
  kind: z.enum(['open', 'closed', 'iterations']),
  peak: z.number().nonnegative().describe('arrivals per second where open, sessions at once where not'),
  arrivals: z.number().nonnegative().nullable().describe('null: a closed profile plans sessions at once'),
  durationMs: ms.nullable().describe('null: until the iterations are done'),
})
export type PlannedPopulation = z.infer<typeof PlannedPopulation>

const Curve = z.array(z.strictObject({ at: ms, value: z.number().nonnegative() }))

export const ReportPlan = z.strictObject({
  durationMs: ms.nullable().describe('of the longest population; null: until the iterations are done'),
  arrivals: z.number().nonnegative().nullable().describe('of all populations; null where one is closed'),
  populations: z.array(PlannedPopulation),
  rate: Curve.describe('arrivals per second that the open profiles want'),
  users: Curve.describe('sessions at once that the other profiles want'),
})
export type ReportPlan = z.infer<typeof ReportPlan>

/** A step's course: columns of equal length, one entry per point. */
export const StepSeries = z.strictObject({
  ...Place,
  at: z.array(ms).describe('begin of each point, since the start'),
  span: ms.describe('milliseconds that a point covers'),
  requests: z.array(count),
  failed: z.array(count),
  p95: z.array(ms.nullable()).describe('from due; null where nothing was measured'),
})
export type StepSeries = z.infer<typeof StepSeries>

/** One worker's part. A local run has one. */
export const ReportWorker = z.strictObject({
  ...WorkerEnd.shape,
  hostname: z.string(),
  threads: count,
  share,
  requests: count,
  failed: count,
  rate: ms.describe('requests per second'),
  lagP99: ms.optional().describe('milliseconds'),
  utilisation: share.optional().describe("mean of its threads' event loops"),
})
export type ReportWorker = z.infer<typeof ReportWorker>

/** `report.json`: the merged result of a run. Times are milliseconds, sizes bytes, shares 0 to 1, rates per second. */
export const Report = z.strictObject({
  v: z.literal(reportVersion),
  run: RunHeader.describe('what was planned, and where it ran'),
  status: RunEnd.shape.status,
  verdict: Verdict,
  error: z.string().optional(),
  endedAt: z.iso.datetime(),
  elapsedMs: ms,
  stopped: RunEnd.shape.stopped,
  plan: ReportPlan,
  thresholds: z.array(ThresholdResult),
  generator: GeneratorHealth,
  totals: JobTotals,
  summary: Summary,
  distribution: z
    .array(z.strictObject({ percentile: z.number(), duration: ms.nullable(), service: ms.nullable() }))
    .describe('of all steps together, dense towards 100'),
  failures: z.array(Failure).describe('most frequent first; their samples stand in the summary'),
  books: z.array(PopulationBooks).describe('of all workers together'),
  series: z.array(Point).describe('seconds; neighbours joined in a long run'),
  stepSeries: z.array(StepSeries),
  workers: z.array(ReportWorker),
  startSkewMs: ms.optional().describe('between the first and the last worker to begin'),
  notes: z.array(z.string()).describe('what a person should know beside the numbers'),
  frame: Frame.optional().describe('everything that was counted, mergeable: gives any percentile of any step'),
})
export type Report = z.infer<typeof Report>

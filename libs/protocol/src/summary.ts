import { z } from 'zod'
import { FailureSample } from './frame.ts'

// Times are milliseconds with fractions (the microsecond is kept), sizes are bytes, rates are per second, shares 0 to 1.

const Count = z.int().nonnegative()
const Share = z.number().min(0).max(1)

export const percentiles = { p50: 50, p75: 75, p90: 90, p95: 95, p99: 99, p999: 99.9, p9999: 99.99 } as const

export const Latency = z.strictObject({
  count: Count,
  min: z.number(),
  mean: z.number(),
  stddev: z.number(),
  max: z.number(),
  p50: z.number(),
  p75: z.number(),
  p90: z.number(),
  p95: z.number(),
  p99: z.number(),
  p999: z.number(),
  p9999: z.number(),
})
export type Latency = z.infer<typeof Latency>

const measured = {
  count: Count,
  ok: Count,
  ko: Count,
  rate: z.number().describe('per second'),
  failed: Share,
  duration: Latency.optional().describe('from due; of all outcomes'),
  service: Latency.optional().describe('from send; of all outcomes'),
  durationOk: Latency.optional(),
  durationKo: Latency.optional(),
  connect: Latency.optional(),
  tls: Latency.optional(),
  firstByte: Latency.optional(),
  bytesIn: Count,
  bytesOut: Count,
  status: z.array(z.strictObject({ status: z.int(), count: Count })).describe('-1 is every status past the bound'),
  errors: z.array(z.strictObject({ kind: z.string(), count: Count })),
  checks: z.array(z.strictObject({ label: z.string(), passed: Count, failed: Count })),
}
export const StepSummary = z.strictObject({
  scenario: z.string(),
  step: z.string(),
  group: z.string().optional(),
  ...measured,
})
export type StepSummary = z.infer<typeof StepSummary>
export const WholeSummary = z.strictObject(measured)
export type WholeSummary = z.infer<typeof WholeSummary>

const Sessions = z.strictObject({
  started: Count,
  finished: Count,
  interrupted: Count,
  dropped: Count,
  late: Count,
  cancelled: Count,
  active: z.int().describe('started and neither finished nor interrupted'),
})
export type Sessions = z.infer<typeof Sessions>

const GroupSummary = z.strictObject({
  scenario: z.string(),
  group: z.string(),
  ok: Count,
  ko: Count,
  duration: Latency.optional(),
})
const PopulationSummary = z.strictObject({
  population: z.string(),
  ...Sessions.shape,
  passes: Count,
  passesFailed: Count,
  passDuration: Latency.optional(),
})
const MetricSummary = z.strictObject({
  name: z.string(),
  kind: z.enum(['counter', 'gauge', 'rate', 'trend']),
  tags: z.array(z.tuple([z.string(), z.string()])),
  sum: z.number().optional().describe('of a counter'),
  perSecond: z.number().optional().describe('of a counter'),
  value: z.number().optional().describe('of a gauge: the latest'),
  hits: Count.optional().describe('of a rate'),
  total: Count.optional().describe('of a rate'),
  share: Share.optional().describe('of a rate'),
  values: Latency.optional().describe('of a trend'),
})
export type MetricSummary = z.infer<typeof MetricSummary>

export const Summary = z.strictObject({
  elapsedMs: z.number().nonnegative(),
  whole: WholeSummary,
  steps: z.array(StepSummary),
  groups: z.array(GroupSummary),
  sessions: Sessions,
  populations: z.array(PopulationSummary),
  generator: z.strictObject({
    sendLag: Latency.optional(),
    utilisation: z.strictObject({ mean: z.number(), p95: z.number(), max: z.number() }).optional(),
  }),
  metrics: z.array(MetricSummary),
  samples: z.array(FailureSample),
})
export type Summary = z.infer<typeof Summary>

/** One second of a run, all shards together; wider where a run is long or its frames were folded. */
export const Point = z.strictObject({
  at: z.number().describe('milliseconds from the start of the run to the start of the point'),
  span: z.number().positive().describe('milliseconds that it covers'),
  requests: Count,
  failed: Count,
  rate: z.number().describe('requests per second'),
  duration: z
    .strictObject({ p50: z.number(), p90: z.number(), p95: z.number(), p99: z.number(), max: z.number() })
    .optional(),
  service: z
    .strictObject({ p50: z.number(), p90: z.number(), p95: z.number(), p99: z.number(), max: z.number() })
    .optional(),
  bytesIn: Count,
  bytesOut: Count,
  started: Count,
  finished: Count,
  dropped: Count,
  late: Count,
  active: z.int().describe('sessions running at the end of the point'),
  sendLag: z.number().optional().describe('p99'),
})
export type Point = z.infer<typeof Point>

export const ThresholdResult = z.strictObject({
  metric: z.string().describe('as written, with its selector'),
  check: z.string(),
  over: z.number().optional().describe('milliseconds of the sliding window'),
  after: z.number().optional().describe('milliseconds of warm-up left out'),
  abort: z.boolean(),
  passed: z.boolean(),
  value: z.number().optional().describe('what was measured; nothing when there was nothing to measure'),
  failedAt: z.number().optional().describe('milliseconds into the run, when a window first failed'),
  detail: z.string(),
})
export type ThresholdResult = z.infer<typeof ThresholdResult>

export const GeneratorVerdict = z.strictObject({
  valid: z.boolean(),
  reasons: z.array(z.string()).describe('why the numbers cannot be trusted'),
  warnings: z.array(z.string()).describe('what to look at, though it does not invalidate the run'),
})
export type GeneratorVerdict = z.infer<typeof GeneratorVerdict>

import { z } from 'zod'

/** Raised whenever an older reader would count a frame wrongly; a reader refuses what is newer than itself. */
export const frameVersion = 1

const Count = z.int().nonnegative()
const Name = z.string().max(400)

/** Buckets of the HdrHistogram layout (3 significant digits, microseconds), sparse: gaps and counts as base64 varints. */
export const HistogramWire = z.strictObject({
  min: Count,
  max: Count,
  sum: Count.describe('exact sum of the microseconds'),
  buckets: z
    .string()
    .max(400_000)
    .regex(/^[A-Za-z0-9+/]*$/, { error: 'expected base64 varints' }),
})
export type HistogramWire = z.infer<typeof HistogramWire>

export const otherStatus = -1

const OutcomeWire = z.strictObject({
  duration: HistogramWire.optional().describe('from due'),
  service: HistogramWire.optional().describe('from send'),
  bytesIn: Count,
  bytesOut: Count,
  status: z
    .array(z.tuple([z.int().min(otherStatus), Count]))
    .describe('status and count; -1 is every status past the bound'),
})
export type OutcomeWire = z.infer<typeof OutcomeWire>

const StepWire = z.strictObject({
  scenario: Name,
  step: Name,
  group: Name.optional(),
  ok: OutcomeWire.optional(),
  ko: OutcomeWire.optional(),
  connect: HistogramWire.optional(),
  tls: HistogramWire.optional(),
  firstByte: HistogramWire.optional(),
  errors: z
    .array(z.tuple([Name, Count]))
    .optional()
    .describe('kind and count'),
  checks: z
    .array(z.tuple([Name, Count, Count]))
    .optional()
    .describe('label, passed, failed'),
})
export type StepWire = z.infer<typeof StepWire>

const GroupWire = z.strictObject({
  scenario: Name,
  group: Name,
  ok: HistogramWire.optional(),
  ko: HistogramWire.optional(),
})
export type GroupWire = z.infer<typeof GroupWire>

const PopulationWire = z.strictObject({
  population: Name,
  started: Count,
  finished: Count,
  interrupted: Count,
  dropped: Count,
  late: Count,
  cancelled: Count,
  passesOk: HistogramWire.optional(),
  passesKo: HistogramWire.optional(),
})
export type PopulationWire = z.infer<typeof PopulationWire>

const Tags = z.array(z.tuple([Name, Name])).max(20)
/** Custom metrics. A row without tags is the whole of its name; a row with tags is a part of it. */
const MetricWire = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('counter'), name: Name, tags: Tags, thousandths: Count }),
  z.strictObject({ kind: z.literal('gauge'), name: Name, tags: Tags, value: z.number(), at: z.number() }),
  z.strictObject({ kind: z.literal('rate'), name: Name, tags: Tags, hits: Count, total: Count }),
  z.strictObject({ kind: z.literal('trend'), name: Name, tags: Tags, values: HistogramWire }),
])
export type MetricWire = z.infer<typeof MetricWire>

const Headers = z.record(z.string(), z.string())
/** One failure to look at, kept a few times per step and kind. Bodies are cut and secrets removed before it gets here. */
export const FailureSample = z.strictObject({
  scenario: Name,
  step: Name,
  kind: Name,
  at: z.number().describe('milliseconds since the run started'),
  message: z.string().max(4000),
  request: z
    .strictObject({
      method: z.string().optional(),
      url: z.string().optional(),
      headers: Headers.optional(),
      body: z.string().optional(),
    })
    .optional(),
  response: z
    .strictObject({ status: z.int().optional(), headers: Headers.optional(), body: z.string().optional() })
    .optional(),
})
export type FailureSample = z.infer<typeof FailureSample>

/** What was counted, without saying when and by whom. */
export const Counts = z.strictObject({
  steps: z.array(StepWire),
  groups: z.array(GroupWire),
  populations: z.array(PopulationWire),
  generator: z.strictObject({
    sendLag: HistogramWire.optional(),
    utilisation: HistogramWire.optional().describe('event-loop utilisation in millionths, once a second and thread'),
  }),
  metrics: z.array(MetricWire),
  samples: z.array(FailureSample),
})
export type Counts = z.infer<typeof Counts>

/** For each shard the sequence numbers of the seconds that a frame holds, as closed ranges in order. */
export const Covers = z
  .array(z.tuple([z.string().min(1).max(200), z.array(z.tuple([z.int().positive(), z.int().positive()])).min(1)]))
  .describe('shard and the ranges of seconds that are counted in this frame')
export type Covers = z.infer<typeof Covers>

/** One second of one shard, or any number of them added up: `covers` says which, so that nothing is counted twice. */
export const Frame = z.strictObject({
  v: z.literal(frameVersion),
  run: z.string().min(1).max(200),
  covers: Covers,
  from: z.number().nonnegative().describe('milliseconds since the run started'),
  to: z.number().nonnegative(),
  counts: Counts,
})
export type Frame = z.infer<typeof Frame>

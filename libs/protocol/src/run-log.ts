import { z } from 'zod'
import { Frame } from './frame.ts'
import { JobWorker } from './job.ts'
import { Json } from './json.ts'
import { Throttle } from './load.ts'
import { RunId } from './node.ts'
import { Population, PopulationBooks, ThreadCrash } from './plan.ts'
import { GeneratorLimits } from './simulation.ts'
import { Thresholds } from './threshold.ts'

/** Raised whenever an older reader would understand a run log wrongly. */
export const runLogVersion = 1

const count = z.int().nonnegative()
const ms = z.number().nonnegative()

export const Machine = z.strictObject({
  hostname: z.string(),
  platform: z.string().describe('operating system and processor architecture, like "linux x64"'),
  cpu: z.string(),
  cores: count,
  memory: count.describe('bytes'),
  node: z.string().describe("Node's version"),
  onrush: z.string().describe("Onrush's version"),
})
export type Machine = z.infer<typeof Machine>

/** Who generates the load, as it is known at the start. A local run has one. */
export const RunWorker = z.strictObject({
  id: z.string().min(1).max(200).describe('the name its frames carry'),
  threads: count,
  share: z.number().min(0).max(1).describe('its part of the whole load'),
  machine: Machine.optional().describe('where it differs from the coordinating one'),
})
export type RunWorker = z.infer<typeof RunWorker>

/** The first line of a run log: all that a report says beside what was measured. Secrets are masked before it is made. */
export const RunHeader = z.strictObject({
  type: z.literal('start'),
  v: z.literal(runLogVersion),
  runId: RunId,
  name: z.string(),
  kind: z.enum(['single', 'simulation']),
  description: z.string().optional(),
  startedAt: z.iso.datetime(),
  command: z.string().optional().describe('repeats the run'),
  simulation: z.strictObject({
    file: z.string().optional(),
    hash: z.string().describe('of what ran'),
    source: z.string().optional(),
  }),
  environment: z.strictObject({
    name: z.string().optional(),
    values: z.record(z.string(), z.string()).describe('as texts'),
  }),
  steps: z
    .array(z.strictObject({ scenario: z.string(), step: z.string() }))
    .optional()
    .describe('as the script lists them'),
  seed: count,
  populations: z.array(Population).min(1),
  throttle: Throttle.optional(),
  thresholds: Thresholds.optional(),
  generator: GeneratorLimits.optional(),
  machine: Machine,
  workers: z.array(RunWorker).min(1),
  warnings: z.array(z.string()).describe('what was said before the start'),
  ext: Json.optional(),
})
export type RunHeader = z.infer<typeof RunHeader>

/** How a worker's part ended. */
export const WorkerEnd = z.strictObject({
  id: z.string().min(1).max(200),
  status: JobWorker.shape.status,
  error: z.string().optional(),
  books: z.array(PopulationBooks),
  imbalances: z.array(z.string()).describe('books that do not balance, in words; a defect of the generator'),
  crashes: z.array(ThreadCrash),
  notes: z.array(z.string()),
  skewMs: z.number().optional().describe('how much later than the start instant it began'),
  lost: z
    .strictObject({
      at: ms.describe('since the start'),
      takenOver: z.boolean().describe('whether others ran the rest of its part'),
    })
    .optional(),
})
export type WorkerEnd = z.infer<typeof WorkerEnd>

/** The last line of a run log. Where it is missing the run was cut off. */
export const RunEnd = z.strictObject({
  type: z.literal('end'),
  status: z.enum(['finished', 'stopped', 'failed']),
  error: z.string().optional(),
  endedAt: z.iso.datetime(),
  elapsedMs: ms,
  stopped: z.strictObject({ at: z.number(), reason: z.string() }).optional(),
  workers: z.array(WorkerEnd),
})
export type RunEnd = z.infer<typeof RunEnd>

/** A line between: one second of one worker. */
export const RunLogFrame = z.strictObject({ type: z.literal('frame'), frame: Frame })
export type RunLogFrame = z.infer<typeof RunLogFrame>

/** A line of a run log: the header first, a frame for each second of each worker, the end last. */
export const RunLogLine = z.discriminatedUnion('type', [RunHeader, RunLogFrame, RunEnd])

import { Contents } from '@onrush/protocol/content'
import { Json } from '@onrush/protocol/json'
import { Throttle } from '@onrush/protocol/load'
import { NodeId, RunId } from '@onrush/protocol/node'
import { Population, ShardLimits, ShardResult, ShareWire } from '@onrush/protocol/plan'
import { protocolVersion } from '@onrush/protocol/protocol-version'
import { RunHeader, RunWorker } from '@onrush/protocol/run-log'
import { Environment } from '@onrush/protocol/simulation'
import { Workers } from '@onrush/protocol/start-fields'
import { z } from 'zod'
import { RunBase } from './run-store.ts'

/** What all shards of a run have in common. A worker fetches what it lacks of the contents. */
export const RunPlan = z.strictObject({
  runId: RunId,
  contents: Contents,
  populations: z.array(Population).min(1),
  throttle: Throttle.optional(),
  environment: z.string().optional(),
  env: Environment.default({}),
  variables: z.record(z.string(), Json).default({}),
  seed: z.int().nonnegative(),
  limits: ShardLimits.prefault({}),
  hasSetup: z.boolean(),
  hasTeardown: z.boolean(),
  verbose: z.boolean().default(false),
})
export type RunPlan = z.infer<typeof RunPlan>

/** The steps of a run's job. Each is safe to repeat, because a reporter may die between doing and saying so. */
export const runSteps = ['allocate', 'dispatch', 'teardown', 'merge'] as const

/** A run's job on the queue `runs`; any reporter continues it at the step it is at. */
export const RunJob = z.strictObject({
  v: z.literal(protocolVersion),
  plan: RunPlan,
  base: RunBase.describe('its record, so that whoever takes the job can make it'),
  header: RunHeader.omit({ workers: true }).describe('what its log begins with, but for who takes part'),
  workers: Workers.optional(),
  weights: z.record(NodeId, z.number()).optional(),
  onWorkerLoss: z.enum(['continue', 'fail', 'redistribute']),
  startTimeoutMs: z.number().positive(),
  callback: z.string().optional(),
  step: z.enum(runSteps),
  taking: z
    .array(z.strictObject({ worker: RunWorker, share: ShareWire }))
    .optional()
    .describe('who takes part with which share; shard i is the i-th'),
})
export type RunJob = z.infer<typeof RunJob>

/** What comes on a worker's own queue: its shard of a run or, at the very end and on one worker, the run's teardown. */
export const WorkerJob = z.discriminatedUnion('kind', [
  z.strictObject({
    v: z.literal(protocolVersion),
    kind: z.literal('shard'),
    plan: RunPlan,
    shard: z.int().nonnegative(),
    of: z.int().positive(),
    share: ShareWire,
    header: RunHeader.describe('the first line of its run log; the same for all shards'),
  }),
  z.strictObject({ v: z.literal(protocolVersion), kind: z.literal('teardown'), plan: RunPlan }),
])
export type WorkerJob = z.infer<typeof WorkerJob>
export type ShardJob = Extract<WorkerJob, { kind: 'shard' }>

/** What a finished shard returns to its run, beside the engine's own result. */
export const ShardReturn = z.strictObject({
  v: z.literal(protocolVersion),
  shard: z.int().nonnegative(),
  worker: NodeId,
  result: ShardResult,
  /** When its first arrival could start, in Redis's milliseconds, and how well that is known. */
  startedAt: z.number(),
  clockError: z.number(),
})
export type ShardReturn = z.infer<typeof ShardReturn>

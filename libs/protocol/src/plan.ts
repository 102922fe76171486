import { z } from 'zod'
import { Frame } from './frame.ts'
import { Profile } from './injection.ts'
import { Json } from './json.ts'
import { loadFields, Throttle } from './load.ts'
import { Environment, Simulation } from './simulation.ts'

/** Those who pass through the same scenarios under the same load: a scenario with its own `inject`, or all the others. */
export const Population = z.strictObject({
  name: z.string().min(1),
  scenarios: z.array(z.string().min(1)).min(1),
  ...loadFields,
  inject: Profile,
})
export type Population = z.infer<typeof Population>

/** Where a thread finds the simulation: the bundle that was made of a script, or the data itself. */
export const SimulationSource = z.union(
  [
    z.strictObject({
      bundle: z.string().min(1).describe('an ES module whose default export is the simulation'),
      hash: z.string(),
    }),
    z.strictObject({ spec: Simulation }),
  ],
  { error: 'expected { bundle, hash } or { spec }' },
)
export type SimulationSource = z.infer<typeof SimulationSource>

const Ms = z.number().nonnegative()

/** How long a shard waits for what, and how much it may take. */
export const ShardLimits = z.strictObject({
  prepareMs: Ms.default(60_000).describe('for all threads to load and compile the simulation'),
  startMs: Ms.default(300_000).describe('for the start signal'),
  graceMs: Ms.default(30_000).describe('for sessions that run when the run is stopped'),
  overrunMs: Ms.default(30_000).describe('for sessions that run when the plan has ended, before the grace begins'),
  stuckMs: Ms.default(10_000).describe('without a sign of life from a thread before the run warns of it'),
  threadMemoryMb: z
    .int()
    .positive()
    .optional()
    .describe('heap of one thread (default 1024); more ends the thread, not the process'),
})
export type ShardLimits = z.infer<typeof ShardLimits>

/** A set of residue classes modulo 27720, as strides: first class, step, count. */
export const ShareWire = z.array(z.tuple([z.int().nonnegative(), z.int().positive(), z.int().nonnegative()]))

/** All that a worker needs to know to do its part of a run, and each of its threads. JSON, but for an inline function. */
export const ShardPlan = z.strictObject({
  runId: z.string().min(1).max(200),
  worker: z.string().min(1).max(200),
  simulation: SimulationSource,
  populations: z.array(Population).min(1),
  throttle: Throttle.optional(),
  environment: z.string().optional().describe("one of the simulation's environments"),
  env: Environment.default({}).describe('laid over it'),
  variables: z.record(z.string(), Json).default({}).describe("laid over the simulation's"),
  seed: z.int().nonnegative(),
  share: ShareWire,
  threads: z.int().positive().max(1024),
  files: z.record(z.string(), z.string()).default({}).describe("a name in the script to the file's path on this host"),
  limits: ShardLimits.prefault({}),
  verbose: z.boolean().optional().describe('sessions are told of, request by request, as far as there is room'),
})
export type ShardPlan = z.infer<typeof ShardPlan>

/** The books of one population in one shard. They balance: `checkBooks` of the metrics says where not. */
export const PopulationBooks = z.strictObject({
  population: z.string(),
  planned: z.int().nonnegative(),
  started: z.int().nonnegative(),
  dropped: z.int().nonnegative(),
  cancelled: z.int().nonnegative(),
  missed: z.int().nonnegative(),
  finished: z.int().nonnegative(),
  interrupted: z.int().nonnegative(),
})
export type PopulationBooks = z.infer<typeof PopulationBooks>

export const ThreadCrash = z.strictObject({
  thread: z.int().nonnegative(),
  at: z.number().describe('milliseconds since the start; below 0 before it'),
  message: z.string(),
})
export type ThreadCrash = z.infer<typeof ThreadCrash>

/** What a shard returns: exact totals, and what a reader has to know beside them. */
export const ShardResult = z.strictObject({
  totals: Frame,
  elapsedMs: z.number().nonnegative(),
  books: z.array(PopulationBooks),
  imbalances: z.array(z.string()).describe('books that do not balance, in words; a defect of the generator'),
  crashes: z.array(ThreadCrash),
  stopped: z.strictObject({ at: z.number(), reason: z.string() }).optional(),
  notes: z.array(z.string()).describe('what happened that a person should know: rows used up, sessions cut at the end'),
})
export type ShardResult = z.infer<typeof ShardResult>

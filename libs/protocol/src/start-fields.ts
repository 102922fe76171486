import { z } from 'zod'
import { Duration } from './duration.ts'
import { Json } from './json.ts'
import { limits } from './limits.ts'
import { NodeId } from './node.ts'
import { Environment } from './simulation.ts'
import { Thresholds } from './threshold.ts'

/** Which workers execute a run: how many, every registered one, or these. */
export const Workers = z.union(
  [z.int().positive().max(limits.workers.value), z.literal('all'), z.array(NodeId).min(1).max(limits.workers.value)],
  {
    error: 'expected a number of workers, "all", or a list of worker ids',
  },
)
export type Workers = z.infer<typeof Workers>

/** What every start takes, whatever it starts. */
export const startFields = {
  workers: Workers.optional().describe('default: all idle ones, at least one'),
  weights: z
    .record(NodeId, z.number().nonnegative().max(limits.weight.value))
    .optional()
    .describe('an uneven deal: worker id to weight'),
  env: Environment.optional().describe('laid over the environment'),
  thresholds: Thresholds.optional(),
  onWorkerLoss: z.enum(['continue', 'fail', 'redistribute']).optional(),
  startTimeout: Duration.optional().describe('how long the run waits for its workers (default 10m)'),
  verbose: z.boolean().optional().describe('every request and response goes to the monitor, bounded'),
  callback: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('gets the summary and the verdict by POST'),
  ext: Json.optional().describe('yours; handed back untouched'),
}

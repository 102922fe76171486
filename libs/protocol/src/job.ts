import { z } from 'zod'
import { Json } from './json.ts'
import { NodeId, RunId } from './node.ts'

export const runStates = ['queued', 'starting', 'running', 'gathering', 'finished', 'failed', 'stopped'] as const
export const RunState = z.enum(runStates)
export type RunState = z.infer<typeof RunState>

/** What a run says of its target: thresholds held, or not, or the generator could not tell. */
export const Verdict = z.enum(['passed', 'failed', 'invalid'])
export type Verdict = z.infer<typeof Verdict>

const count = z.int().nonnegative()

/** Of a run that has begun, what has been counted so far. */
export const JobTotals = z.strictObject({
  planned: count,
  started: count,
  finished: count,
  interrupted: count,
  dropped: count,
  cancelled: count,
  missed: count,
  active: count,
  requests: count,
  failed: count,
})
export type JobTotals = z.infer<typeof JobTotals>

export const JobLinks = z.strictObject({ job: z.string(), monitor: z.string(), report: z.string() })

export const JobWorker = z.strictObject({
  id: NodeId,
  status: z.enum(['reserved', 'preparing', 'ready', 'running', 'finished', 'stopped', 'failed', 'lost']),
  error: z.string().optional(),
})
export type JobWorker = z.infer<typeof JobWorker>

/** A run as the API shows it. */
export const Job = z.strictObject({
  runId: RunId,
  name: z.string(),
  kind: z.enum(['single', 'simulation']),
  status: RunState,
  verdict: Verdict.optional(),
  error: z.string().optional(),
  waiting: z.string().optional().describe('why it is still queued'),
  simulation: z.string().optional(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
  workers: z.array(JobWorker),
  plan: z.strictObject({
    durationMs: z.number().nonnegative().nullable().describe('null: until it is stopped'),
    arrivals: z
      .number()
      .nonnegative()
      .nullable()
      .describe('null: a closed profile plans sessions at once, not arrivals'),
  }),
  totals: JobTotals.optional(),
  links: JobLinks,
  ext: Json.optional(),
})
export type Job = z.infer<typeof Job>

/** What a start answers. */
export const Started = z.strictObject({ runId: RunId, links: JobLinks })
export type Started = z.infer<typeof Started>

export const linksOf = (runId: string): z.infer<typeof JobLinks> => ({
  job: `/api/job/${runId}`,
  monitor: `/api/job/${runId}/monitor`,
  report: `/report/${runId}`,
})

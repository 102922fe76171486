import { z } from 'zod'
import { JobTotals, RunState, Verdict } from './job.ts'
import { NodeId, NodeRecord, RunId } from './node.ts'
import { RunEnd } from './run-log.ts'

export const ReportLinks = z.strictObject({
  html: z.string(),
  json: z.string(),
  junit: z.string(),
  csv: z.string(),
  log: z.string(),
})

/** A report as a reporter lists those it has. */
export const StoredReport = z.strictObject({
  runId: RunId,
  name: z.string(),
  kind: z.enum(['single', 'simulation']),
  status: RunEnd.shape.status,
  verdict: Verdict,
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  elapsedMs: z.number().nonnegative(),
  totals: JobTotals,
  p95: z.number().nonnegative().optional().describe('milliseconds, from due'),
  course: z.array(z.number().nonnegative()).describe('requests per second over the run, at most 40 points'),
  links: ReportLinks,
})
export type StoredReport = z.infer<typeof StoredReport>

/** `GET /api/reporters`: one path for two lists, as the interface has it. */
export const Reporters = z.strictObject({
  reports: z.array(StoredReport).describe('those that lie on this reporter, the latest first'),
  nodes: z.array(NodeRecord).describe('the reporters that are alive'),
})
export type Reporters = z.infer<typeof Reporters>

/** `GET /report/:runId` for a client that asks for JSON. */
export const ReportAnswer = z.strictObject({
  runId: RunId,
  status: RunState,
  verdict: Verdict.optional(),
  links: ReportLinks.optional().describe('once the report is built'),
})
export type ReportAnswer = z.infer<typeof ReportAnswer>

/** What `POST /api/stop` did. */
export const StopAnswer = z.strictObject({
  runs: z.array(RunId).describe('runs that were told to stop'),
  workers: z
    .array(
      z.strictObject({
        id: NodeId,
        stopped: z.boolean().describe('false: it ran nothing'),
        runId: RunId.optional(),
        error: z.string().optional(),
      }),
    )
    .describe('workers that were named'),
})
export type StopAnswer = z.infer<typeof StopAnswer>

import { z } from 'zod'
import { EngineState, NodeId, RunId } from './node.ts'

/** What a worker answers about its engine: the run it executes, or the last one it did. */
export const EngineStatus = z.strictObject({
  id: NodeId,
  label: z.string().optional(),
  version: z.string(),
  state: EngineState,
  runId: RunId.optional(),
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
  code: z.enum(['finished', 'stopped', 'failed']).optional().describe('how the last run ended here'),
  error: z.string().optional(),
  cores: z.int().positive(),
  threads: z.int().positive(),
  cpu: z.number().nonnegative().describe('share of one core that the process uses, 0 to the number of cores'),
  memory: z.strictObject({ total: z.int().nonnegative(), used: z.int().nonnegative() }).describe('bytes'),
  load: z.number().nonnegative().describe('load average of the host over one minute'),
})
export type EngineStatus = z.infer<typeof EngineStatus>

/** What stopping an engine answers. */
export const EngineStopAnswer = z.strictObject({
  stopped: z.boolean().describe('false: nothing ran'),
  runId: RunId.optional(),
})
export type EngineStopAnswer = z.infer<typeof EngineStopAnswer>

import { z } from 'zod'
import { Frame } from './frame.ts'
import { EngineState, NodeId, RunId } from './node.ts'
import { TraceMessage } from './trace.ts'

/** What a worker's monitor websocket says. */
export const EngineMonitorMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('state'),
    worker: NodeId,
    state: EngineState,
    runId: RunId.optional(),
    at: z.iso.datetime(),
  }),
  z.strictObject({ type: z.literal('frame'), worker: NodeId, frame: Frame }),
  TraceMessage,
])
export type EngineMonitorMessage = z.infer<typeof EngineMonitorMessage>

/** A line of the compiler's output, as it comes, or the outcome of the whole. */
export const CompilerMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('state'), state: z.enum(['idle', 'pulling', 'checking', 'bundling']) }),
  z.strictObject({
    type: z.literal('line'),
    level: z.enum(['info', 'warn', 'error']),
    text: z.string(),
    simulation: z.string().optional(),
    place: z.string().optional().describe('file:line:column'),
  }),
  z.strictObject({
    type: z.literal('outcome'),
    ok: z.boolean(),
    compiled: z.int().nonnegative(),
    unchanged: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    elapsedMs: z.number().nonnegative(),
  }),
])
export type CompilerMessage = z.infer<typeof CompilerMessage>

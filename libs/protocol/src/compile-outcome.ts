import { z } from 'zod'
import { Contents } from './content.ts'
import { limits } from './limits.ts'
import { NodeId } from './node.ts'

const count = z.int().nonnegative()

export const Pulled = z
  .strictObject({ from: z.string(), to: z.string() })
  .describe('commits; the same when nothing came')
export type Pulled = z.infer<typeof Pulled>

/** What one worker was made ready with. */
export const WorkerCompile = z.strictObject({
  id: NodeId,
  ok: z.boolean(),
  ready: count.describe('simulations whose bundle and files it holds'),
  fetched: count.describe('contents it lacked'),
  bytes: count,
  error: z.string().optional(),
})
export type WorkerCompile = z.infer<typeof WorkerCompile>

/** What a worker is told to compile: its own folder, or, by a reporter, what to hold ready. */
export const EngineCompileRequest = z.strictObject({
  pull: z.boolean().optional().describe('git pull first, fast-forward only'),
  prefetch: z
    .array(Contents)
    .max(limits.prefetched.value)
    .optional()
    .describe('instead of its own folder; only a node of the fleet asks'),
})
export type EngineCompileRequest = z.infer<typeof EngineCompileRequest>

/** What a worker answers to that. */
export const Prefetched = z.strictObject({
  ready: count.describe('simulations whose bundle and files it holds'),
  fetched: count.describe('contents it lacked'),
  bytes: count,
  problems: z.array(z.string()),
})
export type Prefetched = z.infer<typeof Prefetched>

import type { Share } from '@onrush/load/share'
import type { FailureSample } from '@onrush/protocol/frame'
import type { Json } from '@onrush/protocol/json'
import type { TraceEvent } from '../session/trace.ts'

/** What a thread is told while it runs. */
export type ToThread =
  | { type: 'start'; at: number; setup: Json }
  | { type: 'stop'; graceMs: number }
  | { type: 'abort' }
  | { type: 'reassign'; share: Share; at: number }

/** What a thread says while it runs. Counts are in its memory; its last word is its task's result. */
export type FromThread =
  | { type: 'ready' }
  | { type: 'sample'; sample: FailureSample }
  | { type: 'trace'; session: string; event: TraceEvent }

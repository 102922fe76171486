import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import type { Frame } from './frames.ts'

/** What the child tells of the first load, in one line of JSON. */
export type Answer =
  | {
      readonly type: 'loaded'
      readonly value: Json
      readonly faults: readonly Fault[]
      /** Where each map of the data was written, by its JSON path. */
      readonly places: { readonly [path: string]: readonly Frame[] }
    }
  | { readonly type: 'no-default'; readonly exports: readonly string[] }
  | { readonly type: 'threw'; readonly message: string; readonly frames: readonly Frame[] }
  | { readonly type: 'exited'; readonly code: number; readonly frames: readonly Frame[] }
  | { readonly type: 'time'; readonly frames: readonly Frame[] }
  | { readonly type: 'memory'; readonly megabytes: number; readonly frames: readonly Frame[] }

/** The pipe on which the child answers: 0 to 2 are the standard streams, 3 is fork's own channel. */
export const answerFd = 4

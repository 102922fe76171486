import type { Share } from '@onrush/load/share'

/** Starts one slice's sessions of one population when they are due. Times are milliseconds since the start. */
export interface Dispatch {
  /** Starts what is due at `t`; answers when to be asked again, `Infinity` when only the end of a session changes anything. */
  advance(t: number): number
  /** Starts nothing more; what was planned and not started is cancelled. */
  stop(): void
  /** From the instant `at` on, the shard owns this share instead of what it owned before. */
  reassign(share: Share, at: number): void
  /** Nothing will ever be started again. */
  readonly done: boolean
}

/** So many sessions are started in one turn of the event loop at most: the others have answers to read. */
export const startsPerTurn = 500

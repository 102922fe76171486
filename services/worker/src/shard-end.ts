import type { ShardResult } from '@onrush/protocol/plan'
import type { RunEnd } from '@onrush/protocol/run-log'

/** How a run log ends, as one shard knows it. */
export function endOfShard(worker: string, result: ShardResult, at: Date): RunEnd {
  const { books, imbalances, crashes, notes, stopped, elapsedMs } = result
  const status = stopped === undefined ? 'finished' : 'stopped'
  return {
    type: 'end',
    status,
    endedAt: at.toISOString(),
    elapsedMs,
    ...(stopped === undefined ? {} : { stopped }),
    workers: [{ id: worker, status, books, imbalances, crashes, notes }],
  }
}

import { type Keep, pruneRuns } from '@onrush/fleet/kept-runs'
import { repeat } from '@onrush/fleet/repeat'
import type { QueueBoard } from './queue-board.ts'
import { type ForgottenNeeds, sweepForgotten } from './runs/forgotten-runs.ts'

const boardMs = 2_000
const sweepMs = 5_000
const pruneMs = 60_000

export interface HousekeepingNeeds extends ForgottenNeeds {
  readonly board: QueueBoard
  readonly keep: Keep
}

/** What a reporter does beside its runs, again and again; answers what ends it. */
export function keepHouse(needs: HousekeepingNeeds): () => void {
  const { redis, board, reportsFolder, keep, log } = needs
  const failed = (what: string) => (error: unknown) => log('warn', what, { error })
  const sweep = async () => {
    // Right after Redis is back a run may seem lost while it is still being read.
    if (redis.status === 'ready') await sweepForgotten(needs)
  }
  const prune = async () => {
    const gone = await pruneRuns(redis, reportsFolder, keep)
    if (gone.length > 0) log('info', 'old reports were removed', { runs: gone.length })
  }
  const chores = [
    repeat(boardMs, () => board.sync(), failed('the queue dashboard could not be brought up to date')),
    repeat(sweepMs, sweep, failed('the journal could not be swept')),
    repeat(pruneMs, prune, failed('old reports could not be removed')),
  ]
  return () => {
    for (const chore of chores) chore.stop()
  }
}

import type { RunResult } from '@onrush/engine/run'
import { OnrushError } from '@onrush/protocol/error'
import type { ShardPlan } from '@onrush/protocol/plan'
import type { RunEnd } from '@onrush/protocol/run-log'

const ofCause = {
  completed: { status: 'finished', worker: 'finished' },
  stopped: { status: 'stopped', worker: 'stopped' },
  threshold: { status: 'stopped', worker: 'stopped' },
  crashed: { status: 'failed', worker: 'failed' },
} as const

/** What was said after the beginning; books and crashes have places of their own. */
function notesOf({ shard, warnings }: RunResult, before: readonly string[]): string[] {
  const { imbalances, crashes, notes } = shard
  const later = warnings.filter(
    warning =>
      !before.includes(warning) &&
      !imbalances.includes(warning) &&
      !crashes.some(({ message }) => warning.includes(message)),
  )
  return [...new Set([...notes, ...later])]
}

/** How a run on this machine ended. `before` are the warnings that its header has. */
export function endOf(result: RunResult, before: readonly string[]): RunEnd {
  const { plan, cause, endedAt, shard } = result
  const { elapsedMs, books, imbalances, crashes, stopped } = shard
  const notes = notesOf(result, before)
  const { status, worker } = ofCause[cause]
  const error = `${crashes.length} of ${plan.threads} threads died`
  return {
    type: 'end',
    status,
    ...(cause === 'crashed' ? { error } : {}),
    endedAt: new Date(endedAt).toISOString(),
    elapsedMs,
    ...(stopped === undefined ? {} : { stopped }),
    workers: [{ id: plan.worker, status: worker, books, imbalances, crashes, notes }],
  }
}

/** How one ended that had no result: as far as it was counted. */
export function endOfFailure(plan: ShardPlan, elapsedMs: number, failure: unknown): RunEnd {
  const error = failure instanceof OnrushError ? failure.message : String(failure)
  const worker = { id: plan.worker, error, books: [], imbalances: [], crashes: [], notes: [] }
  // A script's teardown that fails is not the loss of who carried out the load.
  const status = failure instanceof OnrushError && failure.code === 'script_error' ? 'finished' : 'failed'
  return {
    type: 'end',
    status: 'failed',
    error,
    endedAt: new Date().toISOString(),
    elapsedMs,
    workers: [{ ...worker, status }],
  }
}

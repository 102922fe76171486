import type { Report } from '@onrush/protocol/report'
import { exitCodeOf, exitCodes } from '../exit-codes.ts'

/**
 * Causes in the order in which one hides another: a script that is wrong says more than a threshold that failed because
 * of it, and a generator that could not keep up makes thresholds meaningless.
 */
const ranking: readonly number[] = [
  exitCodes.scriptError,
  exitCodes.invalidInput,
  exitCodes.stopped,
  exitCodes.workerLost,
  exitCodes.internal,
  exitCodes.generatorInvalid,
  exitCodes.thresholdsFailed,
]

export interface RunOutcome {
  /** A person or a signal ended it, not its plan and not a threshold. */
  readonly interrupted: boolean
  /** What was thrown, by setup, teardown or the engine. */
  readonly error: unknown
  readonly report: Pick<Report, 'generator' | 'thresholds' | 'workers'>
}

export function exitCodeOfRun({ interrupted, error, report }: RunOutcome): number {
  const { generator, thresholds, workers } = report
  const causes = new Set([
    ...(error === undefined ? [] : [exitCodeOf(error)]),
    ...(interrupted ? [exitCodes.stopped] : []),
    ...(workers.some(({ status }) => status === 'lost' || status === 'failed') ? [exitCodes.workerLost] : []),
    ...(generator.valid ? [] : [exitCodes.generatorInvalid]),
    ...(thresholds.every(({ passed }) => passed) ? [] : [exitCodes.thresholdsFailed]),
  ])
  return ranking.find(code => causes.has(code)) ?? exitCodes.passed
}

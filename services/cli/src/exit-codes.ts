import type { Code } from '@onrush/protocol/codes'
import { OnrushError } from '@onrush/protocol/error'

/** What a shell or a CI job learns from the command. Scripts branch on these numbers: they never change meaning. */
export const exitCodes = {
  passed: 0,
  internal: 1,
  workerLost: 95,
  generatorInvalid: 96,
  thresholdsFailed: 99,
  invalidInput: 104,
  stopped: 105,
  scriptError: 107,
} as const

const ofCode: Partial<Record<Code, number>> = {
  malformed: exitCodes.invalidInput,
  invalid: exitCodes.invalidInput,
  not_found: exitCodes.invalidInput,
  too_large: exitCodes.invalidInput,
  script_error: exitCodes.scriptError,
  worker_lost: exitCodes.workerLost,
}

export function exitCodeOf(error: unknown): number {
  return error instanceof OnrushError ? (ofCode[error.code] ?? exitCodes.internal) : exitCodes.internal
}

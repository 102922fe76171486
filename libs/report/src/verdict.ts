import type { Verdict } from '@onrush/protocol/job'
import type { GeneratorVerdict, ThresholdResult } from '@onrush/protocol/summary'

/** A generator that did not keep up measured itself, so what the thresholds say then says nothing. */
export function verdictOf(generator: Pick<GeneratorVerdict, 'valid'>, thresholds: readonly ThresholdResult[]): Verdict {
  if (!generator.valid) return 'invalid'
  return thresholds.every(({ passed }) => passed) ? 'passed' : 'failed'
}

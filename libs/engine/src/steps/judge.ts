import type { CheckFailure, CompiledAssertion } from '@onrush/context/assertion'
import type { Context } from '@onrush/context/context'
import type { CompiledExports, ExportFailure } from '@onrush/context/exports'
import type { ErrorKind } from '../error-kind.ts'
import type { Outcome } from '../protocol.ts'

/** Why a step failed. One kind, the first cause: kinds then add up to the failures. */
export interface Failing {
  readonly kind: ErrorKind
  readonly message: string
  readonly checks: readonly CheckFailure[]
  readonly exports: readonly ExportFailure[]
}

const none: readonly never[] = Object.freeze([])

/** Judges an outcome whose response is in the context; exports what the step exports when all is well. */
export function judge(
  context: Context,
  outcome: Outcome,
  assertion: CompiledAssertion | undefined,
  exports: CompiledExports | undefined,
  failsFrom: number,
): Failing | undefined {
  const { failure } = outcome
  if (failure !== undefined) return { kind: failure.kind, message: failure.message, checks: none, exports: none }
  const checks = assertion === undefined ? none : assertion.check(context)
  const { answer, refusal } = outcome
  if ((refusal !== undefined || answer.status >= failsFrom) && assertion?.readsStatus !== true) {
    const { kind, message } = refusal ?? {
      kind: 'status',
      message: `the target answered with status ${answer.status}`,
    }
    return { kind, message, checks, exports: none }
  }
  if (checks.length > 0) return { kind: 'assertion', message: '', checks, exports: none }
  if (exports === undefined) return undefined
  const missed = exports.apply(context)
  return missed.length === 0 ? undefined : { kind: 'export', message: '', checks: none, exports: missed }
}

/** Written only for a sample or a trace. */
export function failureMessage(failing: Failing): string {
  const lines = [
    ...(failing.message === '' ? [] : [failing.message]),
    ...failing.checks.map(
      ({ path, operator, expected, actual }) => `${path}: expected ${operator} ${expected}, got ${actual}`,
    ),
    ...failing.exports.map(({ name, path, message }) => `export ${name} from ${path}: ${message}`),
  ]
  return lines.join('\n').slice(0, 4000)
}

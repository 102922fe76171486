import type { Check, ThresholdOptions } from './threshold-types.ts'

/** A check with a window, a start or an abort: `threshold('p(95)<500', { over: '30s', abort: true })`. */
export function threshold(check: Check, options: ThresholdOptions): ThresholdOptions & { readonly check: Check } {
  return { check, ...options }
}

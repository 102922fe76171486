import type { TraceEvent } from '@onrush/engine/trace'
import { exitCodes } from '../exit-codes.ts'

/** What a target answered, and not what kept it from answering. */
const judged = new Set(['assertion', 'status', 'export'])

/** A session that failed: 99 when the target's answers were not as expected, 1 when it could not be reached at all. */
export function exitCodeOfCheck(ok: boolean, events: readonly TraceEvent[]): number {
  if (ok) return exitCodes.passed
  const kinds = events.flatMap(event => (event.type === 'failure' ? [event.kind] : []))
  const asserted = events.some(event => event.type === 'assertion' && !event.ok)
  if (asserted || kinds.some(kind => judged.has(kind))) return exitCodes.thresholdsFailed
  return kinds.some(kind => kind === 'code' || kind === 'render') ? exitCodes.scriptError : exitCodes.internal
}

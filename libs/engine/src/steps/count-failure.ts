import type { Session } from '../session/session.ts'
import type { CompileScope } from './compile-scope.ts'
import { microsBetween } from './micros.ts'
import { sampleOf } from './sample.ts'

/** Where a failure that belongs to no request is counted. */
export type FailureScope = Pick<CompileScope, 'scenario' | 'workshop'> & { readonly group?: string | undefined }

/** A step that is no request has failed: it gets a row among the steps, as one of which nothing was sent. */
export function countFailure(
  what: { step: string; kind: 'render' | 'code'; message: string },
  session: Session,
  { scenario, group, workshop }: FailureScope,
): void {
  const { recorder, samples, clock, mask } = workshop
  const { step, kind, message } = what
  const row = recorder.step(group === undefined ? { scenario, step } : { scenario, step, group })
  row.record(false, -1, microsBetween(session.due, performance.now()), -1, 0, 0)
  row.error(kind)
  session.failed = true
  session.trace?.({ type: 'failure', step, kind, message: mask.text(message) })
  if (!samples.wants(step, kind)) return
  samples.add(sampleOf({ scenario, step, kind, at: clock.now(), message }, session.context, mask))
}

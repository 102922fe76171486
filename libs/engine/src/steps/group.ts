import type { Recorder } from '@onrush/metrics/recorder'
import { microsBetween } from './micros.ts'
import type { RunStep } from './run-step.ts'

/** Groups within groups have one name each, so the inner one says where it lies. */
export function groupWithin(outer: string | undefined, name: string): string {
  return outer === undefined ? name : `${outer} / ${name}`
}

/** Steps timed as one, from when the first was due to the end of the last, the pauses between them included. */
export function timedGroup(steps: RunStep, recorder: ReturnType<Recorder['group']>): RunStep {
  return session => {
    const failedBefore = session.failed
    const began = session.due
    session.failed = false
    const end = (): undefined => {
      // An interrupted group has no length that means anything.
      if (!session.interrupted) recorder.record(!session.failed, microsBetween(began, session.due))
      session.failed ||= failedBefore
    }
    const waiting = steps(session)
    return waiting === undefined ? end() : waiting.then(end)
  }
}

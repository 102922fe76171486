import { durationMs } from '@onrush/protocol/duration'
import type { PaceStep } from '@onrush/protocol/step'
import type { RunStep } from './run-step.ts'

/** Each turn begins at least so long after the one before; a late turn is not made up for. */
export function compilePace(step: PaceStep): RunStep {
  const every = durationMs(step.every)
  return session => {
    const before = session.paceOf(step)
    const turn = before === undefined ? session.due : Math.max(before + every, session.due)
    session.setPace(step, turn)
    if (before === undefined || turn === session.due) return undefined
    session.trace?.({ type: 'pause', ms: turn - session.due })
    session.plan(turn)
    return turn <= performance.now() ? undefined : session.sleepUntil(turn)
  }
}

import { durationMs } from '@onrush/protocol/duration'
import type { PauseStep } from '@onrush/protocol/step'
import type { Session } from '../session/session.ts'
import type { RunStep } from './run-step.ts'

export function compilePause(step: PauseStep, thinkTimes: number): RunStep {
  const length = lengthOf(step)
  return session => {
    const ms = length(session) * thinkTimes
    session.trace?.({ type: 'pause', ms })
    return waitFor(session, ms)
  }
}

/** The next request is due when this one's time is over: it counts from the step before, not from when we noticed its end. */
export function waitFor(session: Session, ms: number): Promise<void> | undefined {
  session.plan(session.due + ms)
  return session.due <= performance.now() ? undefined : session.sleepUntil(session.due)
}

function lengthOf(step: PauseStep): (session: Session) => number {
  const random = (session: Session): number => session.context.random.float()
  if (step.for !== undefined) {
    const ms = durationMs(step.for)
    return () => ms
  }
  if (step.mean === undefined) {
    const min = step.min === undefined ? 0 : durationMs(step.min)
    const max = step.max === undefined ? min : durationMs(step.max)
    return session => min + random(session) * (max - min)
  }
  const mean = durationMs(step.mean)
  if (step.distribution === 'normal') {
    const stddev = step.stddev === undefined ? 0 : durationMs(step.stddev)
    // Box and Muller; 1 - u keeps the logarithm away from 0. A bell reaches below 0, a pause cannot.
    return session => {
      const radius = Math.sqrt(-2 * Math.log(1 - random(session)))
      return Math.max(0, mean + stddev * radius * Math.cos(2 * Math.PI * random(session)))
    }
  }
  if (step.distribution === 'uniform') return session => 2 * mean * random(session)
  return session => -mean * Math.log(1 - random(session))
}

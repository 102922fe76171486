import type { Session } from '../session/session.ts'
import { type RunStep, turn } from './run-step.ts'

/** So often, or until the session is over. */
export function repeated(steps: RunStep, times: (session: Session) => number): RunStep {
  return async session => {
    const count = times(session)
    for (let i = 0; i < count && !session.over; i++) await oneRound(steps, session)
  }
}

/** Rounds are begun until the time is over; one that runs is finished. */
export function lasting(steps: RunStep, ms: number): RunStep {
  return async session => {
    const until = performance.now() + ms
    do await oneRound(steps, session)
    while (!session.over && performance.now() < until)
  }
}

async function oneRound(steps: RunStep, session: Session): Promise<void> {
  const before = session.waits
  const waiting = steps(session)
  if (waiting !== undefined) await waiting
  if (session.waits === before) await turn()
}

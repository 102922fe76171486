import type { Session } from '../session/session.ts'

/** A step compiled for a thread. It answers a promise only when it has to wait: most control steps do not. */
export type RunStep = (session: Session) => Promise<unknown> | undefined

/** Steps one after the other, until the session is over. */
export function sequence(steps: readonly RunStep[]): RunStep {
  const [only] = steps
  if (steps.length === 1 && only !== undefined) return only
  return session => runFrom(steps, 0, session)
}

function runFrom(steps: readonly RunStep[], first: number, session: Session): Promise<unknown> | undefined {
  for (let i = first; i < steps.length; i++) {
    if (session.over) return undefined
    const waiting = steps[i]?.(session)
    if (waiting !== undefined) return rest(waiting, steps, i + 1, session)
  }
  return undefined
}

async function rest(
  waiting: Promise<unknown>,
  steps: readonly RunStep[],
  first: number,
  session: Session,
): Promise<void> {
  await waiting
  for (let i = first; i < steps.length && !session.over; i++) {
    const next = steps[i]?.(session)
    if (next !== undefined) await next
  }
}

/** One turn of the event loop for the others: a loop that never waits would starve them, and the stop message too. */
export function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

import type { Trace, TraceEvent } from '../session/trace.ts'

/** Sessions of one thread that are told of in one second: all of a small load, a sample of a large one. */
const perSecond = 20
/** A session that loops for an hour must not be told of for an hour. */
const eventsPerSession = 500

/** Decides which sessions of a verbose run are told of: each from its beginning to its end. */
export function sessionTracer(
  thread: number,
  now: () => number,
  tell: (session: string, event: TraceEvent) => void,
): () => Trace | undefined {
  let second = 0
  let begun = 0
  let number = 0
  return () => {
    const current = Math.floor(now() / 1000)
    if (current !== second) {
      second = current
      begun = 0
    }
    if (begun >= perSecond) return undefined
    begun++
    const session = `${thread + 1}-${++number}`
    let events = 0
    return event => {
      if (++events <= eventsPerSession) tell(session, event)
    }
  }
}

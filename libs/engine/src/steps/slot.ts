import type { SlotTaker } from '@onrush/load/throttle'
import type { RunClock } from '../session/run-clock.ts'
import type { Session } from '../session/session.ts'

/** Waits for the request's turn under the ceiling. Before its due time no slot is taken, or it would be gone unused. */
export function takeSlot(session: Session, slots: SlotTaker, clock: RunClock): Promise<void> | undefined {
  const slot = clock.instantOf(slots.take(clock.now()))
  session.plan(Math.max(session.due, slot))
  return slot <= performance.now() ? undefined : session.sleepUntil(slot)
}

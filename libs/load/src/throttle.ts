import type { Throttle } from '@onrush/protocol/load'
import { Cumulative } from './cumulative.ts'
import { decimal, toNumber, zero } from './decimal.ts'
import { endless, linear } from './linear.ts'
import { nanosOf } from './nanos.ts'
import type { OwnedCursor } from './owned-cursor.ts'
import type { Pacer } from './pacer.ts'
import type { Piece } from './piece.ts'

/**
 * A ceiling on requests per second, as a pacer of slots: request n of the whole run may leave at `dueAt(n)`, and slots
 * are owned as arrivals are, so all slices together keep below the ceiling without speaking to each other. `reach` goes
 * evenly from the level before (0 at first) to its own, `hold` stays, `jump` changes at once. The last level holds to the
 * end of the run.
 */
export function openThrottle(throttle: Throttle): Pacer {
  const slots = new Cumulative(levels(throttle))
  return {
    dueAt: n => slots.dueAt(n),
    plannedBy: t => slots.countBy(t),
    wantedBy: t => slots.valueAt(t),
    total: slots.total,
    duration: slots.duration,
    peak: slots.peakBy(slots.duration),
  }
}

function* levels(throttle: Throttle): Generator<Piece> {
  let level = zero
  for (const step of throttle) {
    switch (step.type) {
      case 'reach':
        yield linear(level, decimal(step.rps), nanosOf(step.in))
        level = decimal(step.rps)
        break
      case 'jump':
        level = decimal(step.rps)
        break
      case 'hold':
        yield linear(level, level, nanosOf(step.for))
        break
      default:
        step satisfies never
    }
  }
  if (level !== zero) yield endless(toNumber(level))
}

/** Hands out the slots of one slice. Slots that nobody took in time are gone, so idleness never saves up a burst. */
export class SlotTaker {
  readonly #slots: Pacer
  readonly #owned: OwnedCursor

  constructor(slots: Pacer, owned: OwnedCursor) {
    this.#slots = slots
    this.#owned = owned
    owned.skipTo(1)
  }

  /** Takes the first free slot at `now` or later and tells when it is; `Infinity` when there is none ever again. */
  take(now: number): number {
    if (this.#slots.dueAt(this.#owned.peek()) < now) this.#owned.skipTo(this.#slots.plannedBy(now) + 1)
    return this.#slots.dueAt(this.#owned.next())
  }
}

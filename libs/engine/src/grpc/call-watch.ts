import { DeadlineWheel, WheelEntry } from '../http/deadline-wheel.ts'

/** A call that somebody else may have to end. */
export abstract class WatchedCall extends WheelEntry {
  /** Its session was interrupted. */
  abstract interrupted(): void
  /** It has taken longer than any call may. */
  abstract expired(): void
}

interface Slot {
  call: WatchedCall | undefined
}

const tickMs = 20
const ticks = 256

/**
 * Ends calls whose session is interrupted, and those without a deadline of their own that never end. A session has one
 * call at a time, so that its signal is listened to once, not once per call.
 */
export class CallWatch {
  readonly #slots = new WeakMap<AbortSignal, Slot>()
  readonly #wheel = new DeadlineWheel<WatchedCall>(performance.now(), tickMs, ticks)
  #ticking: NodeJS.Timeout | undefined

  begin(call: WatchedCall, signal: AbortSignal, until: number): void {
    this.#slotOf(signal).call = call
    if (until === Number.POSITIVE_INFINITY) return
    this.#ticking ??= setInterval(() => this.#wheel.advance(performance.now(), expire), tickMs).unref()
    this.#wheel.add(call, until)
  }

  end(call: WatchedCall, signal: AbortSignal): void {
    const slot = this.#slots.get(signal)
    if (slot?.call === call) slot.call = undefined
    this.#wheel.remove(call)
  }

  close(): void {
    clearInterval(this.#ticking)
  }

  #slotOf(signal: AbortSignal): Slot {
    let slot = this.#slots.get(signal)
    if (slot === undefined) {
      const made: Slot = { call: undefined }
      slot = made
      this.#slots.set(signal, made)
      signal.addEventListener('abort', () => made.call?.interrupted(), { once: true })
    }
    return slot
  }
}

const expire = (call: WatchedCall): void => call.expired()

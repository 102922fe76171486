import type { Exchange } from './exchange.ts'
import type { Failure } from './transport.ts'

/** What a signal ends, if anything. */
export interface AbortSlot {
  current: Exchange | undefined
}

/**
 * A session gives the same signal to all of its requests, one after the other. A listener for each of them would cost
 * three quarters of a microsecond to add and remove; here a signal is listened to once, for whatever is under way.
 */
export class AbortSlots {
  readonly #known = new WeakMap<AbortSignal, AbortSlot[]>()
  readonly #failure: Failure

  constructor(failure: Failure) {
    this.#failure = failure
  }

  watch(signal: AbortSignal, exchange: Exchange): void {
    let slots = this.#known.get(signal)
    if (slots === undefined) {
      const all: AbortSlot[] = []
      slots = all
      this.#known.set(signal, all)
      const abort = () => {
        for (const slot of all) slot.current?.abort(this.#failure)
      }
      signal.addEventListener('abort', abort, { once: true })
    }
    // As many as there were at a time: one, for a session.
    let slot = slots.find(isFree)
    if (slot === undefined) {
      slot = { current: undefined }
      slots.push(slot)
    }
    slot.current = exchange
    exchange.slot = slot
  }
}

const isFree = ({ current }: AbortSlot): boolean => current === undefined

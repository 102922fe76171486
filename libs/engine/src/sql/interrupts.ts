interface Interruptible {
  interrupt(): void
}

/**
 * Who is under way for which session, by its signal. Each signal is listened to once, however many steps its session
 * has: adding and removing a listener for each would be a tenth of a fast statement's cost.
 */
export class Interrupts {
  readonly #underWay = new WeakMap<AbortSignal, { now: Interruptible | undefined }>()

  watch(signal: AbortSignal, who: Interruptible): void {
    const known = this.#underWay.get(signal)
    if (known !== undefined) {
      known.now = who
      return
    }
    const place: { now: Interruptible | undefined } = { now: who }
    this.#underWay.set(signal, place)
    signal.addEventListener('abort', () => place.now?.interrupt(), { once: true })
  }

  leave(signal: AbortSignal): void {
    const place = this.#underWay.get(signal)
    if (place !== undefined) place.now = undefined
  }
}

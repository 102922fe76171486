import type { FailureSample } from '@onrush/protocol/frame'

const perKind = 3
const atMost = 200

/** Lets the first few failures of each step and kind through. Bounded, so that a run of failures costs no more. */
export class FailureSamples {
  readonly #seen = new Map<string, number>()
  readonly #send: (sample: FailureSample) => void
  #sent = 0

  constructor(send: (sample: FailureSample) => void) {
    this.#send = send
  }

  /** Whether one more of these is wanted; asked first, because a sample costs more than a failure. */
  wants(step: string, kind: string): boolean {
    if (this.#sent >= atMost) return false
    const key = `${kind}\0${step}`
    const seen = this.#seen.get(key) ?? 0
    if (seen >= perKind) return false
    this.#seen.set(key, seen + 1)
    this.#sent++
    return true
  }

  add(sample: FailureSample): void {
    this.#send(sample)
  }
}

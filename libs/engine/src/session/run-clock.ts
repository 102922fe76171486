/** Milliseconds since the start of the run, on this thread's own steady clock. */
export class RunClock {
  #zero = Number.POSITIVE_INFINITY

  /** `startAt` is a Unix time in milliseconds, the same for all threads; each has a `performance.now()` of its own. */
  begin(startAt: number): void {
    this.#zero = startAt - performance.timeOrigin
  }

  /** Before the start it is negative. */
  now(): number {
    return performance.now() - this.#zero
  }

  /** The instant (`performance.now()`) of a time of the run. */
  instantOf(t: number): number {
    return this.#zero + t
  }
}

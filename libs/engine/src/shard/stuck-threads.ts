import { pulsesOf } from '@onrush/metrics/pulse'

interface Watched {
  readonly index: number
  readonly memory: SharedArrayBuffer
  readonly isOver: boolean
}

interface Seen {
  pulses: number
  /** Looks in a row that found no new pulse. Not a time: a process that was stopped for a while finds none either. */
  looks: number
}

/** Notices threads whose event loop does not come round: code that never gives way, or a heap at its limit. */
export class StuckThreads {
  /** What has been said so far, for the run's notes. */
  readonly notes: string[] = []
  readonly #threads: readonly Watched[]
  readonly #patience: number
  readonly #seen = new Map<number, Seen>()

  /** `patienceMs` in looks of a second each. */
  constructor(threads: readonly Watched[], patienceMs: number) {
    this.#threads = threads
    this.#patience = Math.max(1, Math.ceil(patienceMs / 1000))
  }

  /** Once a second, `t` milliseconds after the start. Answers what is new. */
  look(t: number): string[] {
    const said = this.#threads.flatMap(thread => (thread.isOver ? [] : this.#lookAt(thread, t)))
    this.notes.push(...said)
    return said
  }

  #lookAt({ index, memory }: Watched, t: number): string[] {
    const pulses = pulsesOf(memory)
    const seen = this.#seen.get(index)
    if (seen === undefined || seen.pulses !== pulses) {
      this.#seen.set(index, { pulses, looks: 0 })
      const stood = seen !== undefined && seen.looks >= this.#patience
      return stood ? [`thread ${index} goes on after it stood still for ${seen.looks} s`] : []
    }
    seen.looks++
    if (seen.looks !== this.#patience) return []
    const since = Math.max(0, Math.round(t / 1000) - seen.looks)
    return [
      `thread ${index} stands still since about ${since} s: expected code that gives way, got some that keeps the thread (an endless loop, a synchronous call) or has filled its memory; its sessions wait until it goes on or the run ends`,
    ]
  }
}

import { groupBlock, type HistogramPlace, populationBlock } from './blocks.ts'
import type { OpenMemory } from './memory.ts'
import type { Row } from './rows.ts'
import { SharedHistogram } from './shared-histogram.ts'
import { addWide } from './wide-counter.ts'

export function sharedHistogram(memory: OpenMemory, row: Row, place: HistogramPlace): SharedHistogram {
  return new SharedHistogram(memory.words, row.at + place.head, row.at + place.buckets)
}

/** Counts the sessions of one population. */
export class PopulationRecorder {
  readonly #words: Uint32Array
  readonly #at: number
  readonly #passOk: SharedHistogram
  readonly #passKo: SharedHistogram

  constructor(memory: OpenMemory, row: Row) {
    this.#words = memory.words
    this.#at = row.at
    this.#passOk = sharedHistogram(memory, row, populationBlock.passOk)
    this.#passKo = sharedHistogram(memory, row, populationBlock.passKo)
  }

  #add(counter: number, times: number): void {
    const at = this.#at + counter
    this.#words[at] = (this.#words[at] ?? 0) + times
  }

  started(): void {
    this.#add(populationBlock.started, 1)
  }

  finished(): void {
    this.#add(populationBlock.finished, 1)
  }

  interrupted(sessions = 1): void {
    this.#add(populationBlock.interrupted, sessions)
  }

  /** An arrival that found `maxUsers` sessions running. */
  dropped(): void {
    this.#add(populationBlock.dropped, 1)
  }

  /** A session that started, but later than it should have. */
  late(): void {
    this.#add(populationBlock.late, 1)
  }

  /** Arrivals that a stop took off the plan. */
  cancelled(arrivals: number): void {
    addWide(this.#words, this.#at + populationBlock.cancelled, arrivals)
  }

  /** One pass of a session through its scenarios. */
  pass(ok: boolean, durationMicros: number): void {
    ;(ok ? this.#passOk : this.#passKo).record(durationMicros)
  }

  /** Sessions started and not ended: single counters wrap after four thousand million. */
  get active(): number {
    const at = (counter: number) => this.#words[this.#at + counter] ?? 0
    return (at(populationBlock.started) - at(populationBlock.finished) - at(populationBlock.interrupted)) >>> 0
  }
}

/** Counts the durations of one group of steps. */
export class GroupRecorder {
  readonly #ok: SharedHistogram
  readonly #ko: SharedHistogram

  constructor(memory: OpenMemory, row: Row) {
    this.#ok = sharedHistogram(memory, row, groupBlock.ok)
    this.#ko = sharedHistogram(memory, row, groupBlock.ko)
  }

  record(ok: boolean, durationMicros: number): void {
    ;(ok ? this.#ok : this.#ko).record(durationMicros)
  }
}

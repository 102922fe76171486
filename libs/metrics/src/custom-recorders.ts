import { OnrushError } from '@onrush/protocol/error'
import { counterBlock, gaugeBlock, rateBlock, trendBlock } from './blocks.ts'
import { setGauge } from './gauge-cell.ts'
import type { OpenMemory } from './memory.ts'
import { sharedHistogram } from './population-recorder.ts'
import type { Row } from './rows.ts'
import type { SharedHistogram } from './shared-histogram.ts'
import { addWide } from './wide-counter.ts'

// A custom metric counts into its own row and, with tags, into the row of the tags as well.

function refuse(what: string, value: number): OnrushError {
  return new OnrushError('invalid', `expected ${what}, got ${value}`)
}

export class CounterRecorder {
  readonly #memory: OpenMemory
  readonly #rows: readonly Row[]

  constructor(memory: OpenMemory, rows: readonly Row[]) {
    this.#memory = memory
    this.#rows = rows
  }

  /** Whole thousandths are kept, because sums of fractions would depend on the order of adding. */
  add(value = 1): void {
    if (!(value >= 0 && value <= 1e12)) throw refuse('a counter to be raised by 0 to 10¹²', value)
    for (const row of this.#rows) addWide(this.#memory.words, row.at + counterBlock.sum, Math.round(value * 1000))
  }
}

export class GaugeRecorder {
  readonly #memory: OpenMemory
  readonly #rows: readonly Row[]

  constructor(memory: OpenMemory, rows: readonly Row[]) {
    this.#memory = memory
    this.#rows = rows
  }

  set(value: number, atMs: number): void {
    if (!Number.isFinite(value)) throw refuse('a gauge to be set to a finite number', value)
    for (const row of this.#rows) setGauge(this.#memory.words, row.at + gaugeBlock.cell, value, atMs)
  }
}

export class RateRecorder {
  readonly #words: Uint32Array
  readonly #rows: readonly Row[]

  constructor(memory: OpenMemory, rows: readonly Row[]) {
    this.#words = memory.words
    this.#rows = rows
  }

  add(hit: boolean): void {
    for (const { at } of this.#rows) {
      const words = this.#words
      // The whole before the part: a reader in between sees a rate of at most 1.
      words[at + rateBlock.total] = (words[at + rateBlock.total] ?? 0) + 1
      if (hit) words[at + rateBlock.hits] = (words[at + rateBlock.hits] ?? 0) + 1
    }
  }
}

export class TrendRecorder {
  readonly #values: readonly SharedHistogram[]

  constructor(memory: OpenMemory, rows: readonly Row[]) {
    this.#values = rows.map(row => sharedHistogram(memory, row, trendBlock.values))
  }

  /** Milliseconds, to the microsecond, up to an hour. */
  add(ms: number): void {
    if (!(ms >= 0)) throw refuse('a trend to take milliseconds from 0 up', ms)
    for (const values of this.#values) values.record(ms * 1000)
  }
}

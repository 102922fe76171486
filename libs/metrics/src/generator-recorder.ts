import { generatorBlock } from './blocks.ts'
import type { OpenMemory } from './memory.ts'
import { sharedHistogram } from './population-recorder.ts'
import type { Row } from './rows.ts'
import type { SharedHistogram } from './shared-histogram.ts'

/** Counts how well this thread itself keeps up. */
export class GeneratorRecorder {
  readonly #sendLag: SharedHistogram
  readonly #utilisation: SharedHistogram

  constructor(memory: OpenMemory, row: Row) {
    this.#sendLag = sharedHistogram(memory, row, generatorBlock.sendLag)
    this.#utilisation = sharedHistogram(memory, row, generatorBlock.utilisation)
  }

  /** From when something was due to when it was sent. */
  sendLag(micros: number): void {
    this.#sendLag.record(micros)
  }

  /** The event loop's busy share of the last second, 0 to 1; counted in millionths. */
  utilisation(share: number): void {
    this.#utilisation.record(share * 1_000_000)
  }
}

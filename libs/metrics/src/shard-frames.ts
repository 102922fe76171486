import type { FailureSample, Frame } from '@onrush/protocol/frame'
import { frameVersion } from '@onrush/protocol/frame'
import { CountBook } from './count-book.ts'
import { RecorderReader } from './reader.ts'

/** Makes one frame after another from the memories of a shard's threads. */
export class ShardFrames {
  readonly #run: string
  readonly #shard: string
  readonly #readers: RecorderReader[]
  readonly #book = new CountBook()
  #sequence = 0
  #from = 0

  constructor(of: { run: string; shard: string; memories: readonly SharedArrayBuffer[] }) {
    this.#run = of.run
    this.#shard = of.shard
    this.#readers = of.memories.map(memory => new RecorderReader(memory))
  }

  /** Travels with the next frame; only the first few of each step and kind do. */
  addSample(sample: FailureSample): void {
    this.#book.samples.add(sample)
  }

  /** What all threads counted since the last frame. With `final`, after the threads have ended, it is the last. */
  take(toMs: number, options: { final?: boolean } = {}): Frame {
    for (const reader of this.#readers) reader.takeInto(this.#book, options)
    this.#sequence++
    const from = this.#from
    this.#from = Math.max(toMs, from)
    const frame: Frame = {
      v: frameVersion,
      run: this.#run,
      covers: [[this.#shard, [[this.#sequence, this.#sequence]]]],
      from,
      to: this.#from,
      counts: this.#book.toWire(),
    }
    this.#book.clear()
    return frame
  }
}

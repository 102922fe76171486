import { OnrushError } from '@onrush/protocol/error'
import type { Frame } from '@onrush/protocol/frame'
import { frameVersion } from '@onrush/protocol/frame'
import { CountBook } from './count-book.ts'
import { Coverage } from './coverage.ts'

/**
 * Frames added up. In any order, from any number of shards, and a frame that comes again counts once; a frame that
 * holds some of what is in already, and some that is not, changes nothing and says `overlap`.
 */
export class Totals {
  readonly counts = new CountBook()
  readonly #coverage = new Coverage()
  #run: string | undefined
  #from = Number.POSITIVE_INFINITY
  #to = 0

  add(frame: Frame): 'merged' | 'duplicate' | 'overlap' {
    if (this.#run !== undefined && this.#run !== frame.run) {
      throw new OnrushError('conflict', `expected a frame of the run ${this.#run}, got one of ${frame.run}`)
    }
    const compared = this.#coverage.compare(frame.covers)
    if (compared !== 'new') return compared === 'known' ? 'duplicate' : 'overlap'
    this.#run = frame.run
    this.#coverage.add(frame.covers)
    this.#from = Math.min(this.#from, frame.from)
    this.#to = Math.max(this.#to, frame.to)
    this.counts.add(frame.counts)
    return 'merged'
  }

  /** Milliseconds between the first frame's beginning and the last one's end. */
  get elapsedMs(): number {
    return Math.max(0, this.#to - this.#from)
  }

  get isEmpty(): boolean {
    return this.#run === undefined
  }

  /** Seconds that never came though later ones of the same shard did. */
  missing(): ReturnType<Coverage['missing']> {
    return this.#coverage.missing()
  }

  toFrame(): Frame {
    if (this.#run === undefined)
      throw new OnrushError('internal', 'expected at least one frame before totals become a frame')
    return {
      v: frameVersion,
      run: this.#run,
      covers: this.#coverage.toCovers(),
      from: this.#from,
      to: this.#to,
      counts: this.counts.toWire(),
    }
  }
}

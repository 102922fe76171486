import { foldFrames } from '@onrush/metrics/frame'
import type { Frame } from '@onrush/protocol/frame'

/** Where a shard's frames are kept until its run is reported. `false`: the shard is sealed, nothing is taken any more. */
export interface FrameStore {
  append(frame: Frame): Promise<boolean>
  /** Puts one frame in the place of the first `count`. */
  replace(count: number, frame: Frame): Promise<boolean>
}

/** Half a minute of single frames, then they become one: what is kept stays small however long the run. */
const foldAt = 30

/**
 * Keeps a shard's frames in the store, in order and one at a time. While the store is away they wait here, folded into
 * one as they grow, and follow when it is back; load goes on all the while.
 *
 * A frame that was once handed over is never folded with others before the store has confirmed it: the store may have
 * taken it and its answer been lost, and a fold that holds it would overlap with what is there. Handed over again as it
 * is, it counts once, because a frame says which seconds it covers.
 */
export class FrameKeeper {
  readonly #store: FrameStore
  readonly #onSealed: () => void
  #tried: Frame | undefined
  #waiting: Frame[] = []
  #kept: Frame[] = []
  #busy: Promise<void> | undefined
  #sealed = false

  constructor(store: FrameStore, onSealed: () => void) {
    this.#store = store
    this.#onSealed = onSealed
  }

  keep(frame: Frame): void {
    if (this.#sealed) return
    this.#waiting.push(frame)
    if (this.#waiting.length > foldAt) this.#waiting = [foldFrames(this.#waiting)]
    // Never rejects: a store that is away is tried again with the next frame.
    void this.#start()
  }

  /** Frames that the store has not confirmed. */
  get behind(): number {
    return this.#waiting.length + (this.#tried === undefined ? 0 : 1)
  }

  /** Waits for what is under way, and tries once more to hand over what waits. */
  async flush(): Promise<void> {
    await this.#busy
    if (this.behind > 0) await this.#start()
  }

  #start(): Promise<void> {
    this.#busy ??= this.#work().finally(() => {
      this.#busy = undefined
    })
    return this.#busy
  }

  async #work(): Promise<void> {
    while (!this.#sealed) {
      this.#tried ??= this.#waiting.shift()
      if (this.#tried === undefined) return
      try {
        if (!(await this.#store.append(this.#tried))) return this.#end()
        this.#kept.push(this.#tried)
        this.#tried = undefined
        if (this.#kept.length > foldAt) await this.#fold()
      } catch {
        // The store is away; the next frame, or the flush at the end, tries again.
        return
      }
    }
  }

  async #fold(): Promise<void> {
    const folded = foldFrames(this.#kept)
    if (!(await this.#store.replace(this.#kept.length, folded))) return this.#end()
    this.#kept = [folded]
  }

  #end(): void {
    this.#sealed = true
    this.#waiting = []
    this.#tried = undefined
    this.#onSealed()
  }
}

import { OnrushError } from '@onrush/protocol/error'
import type { EngineState } from '@onrush/protocol/node'

/** How a run ended here. */
export type Ending = 'finished' | 'stopped' | 'failed'

/** What a running shard lets others do to it. */
export interface Running {
  stop(reason: string): void
  abort(reason: string): void
}

export interface SlotView {
  readonly state: EngineState
  readonly runId: string | undefined
  readonly startedAt: Date | undefined
  readonly endedAt: Date | undefined
  readonly code: Ending | undefined
  readonly error: string | undefined
}

/**
 * The one place of a worker where a shard runs. States: idle → reserved → preparing → ready → running → draining → idle.
 * Who holds it may change its state; everybody may look, and ask the run to stop.
 */
export class EngineSlot {
  readonly #now: () => Date
  readonly #listeners = new Set<(view: SlotView) => void>()
  #view: SlotView = {
    state: 'idle',
    runId: undefined,
    startedAt: undefined,
    endedAt: undefined,
    code: undefined,
    error: undefined,
  }
  #running: Running | undefined
  #idle = Promise.withResolvers<void>()

  constructor(now: () => Date) {
    this.#now = now
    this.#idle.resolve()
  }

  get view(): SlotView {
    return this.#view
  }

  /** Resolves when nothing runs. */
  get idle(): Promise<void> {
    return this.#idle.promise
  }

  onChange(listener: (view: SlotView) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes the slot for a run, or refuses because another holds it. */
  claim(runId: string): void {
    if (this.#view.state !== 'idle') {
      throw new OnrushError(
        'worker_busy',
        `this worker is ${this.#view.state} with run ${this.#view.runId ?? 'another'}: expected it idle; stop that run or take another worker`,
      )
    }
    this.#idle = Promise.withResolvers()
    this.#change({
      state: 'preparing',
      runId,
      startedAt: undefined,
      endedAt: undefined,
      code: undefined,
      error: undefined,
    })
  }

  hold(running: Running): void {
    this.#running = running
  }

  enter(state: 'ready' | 'running' | 'draining'): void {
    this.#change({ ...this.#view, state, startedAt: state === 'running' ? this.#now() : this.#view.startedAt })
  }

  free(code: Ending, error?: string): void {
    this.#running = undefined
    this.#change({ ...this.#view, state: 'idle', endedAt: this.#now(), code, error })
    this.#idle.resolve()
  }

  /** Ends the run gently. False when there is none, or it is another than the one meant. */
  stop(reason: string, runId?: string): boolean {
    if (this.#running === undefined || (runId !== undefined && runId !== this.#view.runId)) return false
    if (this.#view.state !== 'draining') this.enter('draining')
    this.#running.stop(reason)
    return true
  }

  abort(reason: string, runId?: string): boolean {
    if (this.#running === undefined || (runId !== undefined && runId !== this.#view.runId)) return false
    this.#running.abort(reason)
    return true
  }

  #change(view: SlotView): void {
    this.#view = view
    for (const listener of this.#listeners) listener(view)
  }
}

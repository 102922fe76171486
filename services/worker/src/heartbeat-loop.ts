import { beatMs, sendHeartbeat } from '@onrush/fleet/heartbeat'
import type { Redis } from '@onrush/fleet/redis'
import type { NodeRecord } from '@onrush/protocol/node'
import type { Log } from '@onrush/web/log'
import type { EngineSlot } from './engine-slot.ts'

export interface HeartbeatNeeds {
  readonly redis: Redis
  readonly slot: EngineSlot
  readonly record: () => NodeRecord
  readonly newIncarnation: () => string
  readonly log: Log
}

/**
 * Says each second that we live, and hears what the control channel may have failed to bring. One that was given up while
 * it still lives ends what it runs and comes back as somebody new.
 */
export class HeartbeatLoop {
  readonly #needs: HeartbeatNeeds
  #incarnation: string
  #timer: NodeJS.Timeout | undefined
  #busy = false
  #unheld = 0

  constructor(needs: HeartbeatNeeds) {
    this.#needs = needs
    this.#incarnation = needs.newIncarnation()
  }

  async start(): Promise<void> {
    await this.#beat()
    this.#timer = setInterval(() => {
      // A beat that waits for Redis must not gather others behind it.
      if (this.#busy) return
      this.#beat().catch((error: unknown) => this.#needs.log('warn', 'a heartbeat failed', { error }))
    }, beatMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** A run holds its worker until it is over. Two beats, because a run's end and ours may cross. */
  #isForgotten(holder: string | undefined): boolean {
    const { state, runId } = this.#needs.slot.view
    this.#unheld = state !== 'idle' && runId !== undefined && holder !== runId ? this.#unheld + 1 : 0
    return this.#unheld >= 2
  }

  async #beat(): Promise<void> {
    const { redis, slot, record, log } = this.#needs
    this.#busy = true
    try {
      const pulse = await sendHeartbeat(redis, record(), this.#incarnation)
      if (pulse.state === 'buried') {
        log('error', 'this worker was taken for dead: what it runs is aborted')
        slot.abort('this worker was taken for dead: no sign of life for too long')
        await slot.idle
        this.#incarnation = this.#needs.newIncarnation()
      } else if (this.#isForgotten(pulse.run)) {
        log('error', 'the run that this worker executes is known to nobody any more: it is aborted')
        slot.abort('the run is known to nobody any more: Redis has lost it, or it was given up')
      } else if (pulse.stop !== undefined && pulse.run === slot.view.runId && slot.view.state !== 'draining') {
        slot.stop(pulse.stop, pulse.run)
      }
    } finally {
      this.#busy = false
    }
  }
}

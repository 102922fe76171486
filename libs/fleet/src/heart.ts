import type { NodeRecord } from '@onrush/protocol/node'
import { beatMs, type Pulse, sendHeartbeat } from './heartbeat.ts'
import type { Redis } from './redis.ts'
import { type Repeating, repeat } from './repeat.ts'

export interface HeartNeeds {
  readonly redis: Redis
  readonly record: () => NodeRecord
  /** What the fleet answers to a beat. */
  readonly heard?: (pulse: Extract<Pulse, { state: 'alive' }>) => void
  /** The fleet took this node for dead: it ends what it does before it comes back as somebody new. */
  readonly buried?: () => Promise<void>
  readonly failed: (error: unknown) => void
}

/** Says each second that this node lives. One that was given up meanwhile comes back as somebody new. */
export class Heart {
  readonly #needs: HeartNeeds
  #incarnation = crypto.randomUUID()
  #beating: Repeating | undefined

  constructor(needs: HeartNeeds) {
    this.#needs = needs
  }

  async start(): Promise<void> {
    await this.#beat()
    this.#beating = repeat(beatMs, () => this.#beat(), this.#needs.failed)
  }

  stop(): void {
    this.#beating?.stop()
  }

  async #beat(): Promise<void> {
    const { redis, record, heard, buried } = this.#needs
    const pulse = await sendHeartbeat(redis, record(), this.#incarnation)
    if (pulse.state === 'alive') {
      heard?.(pulse)
      return
    }
    await buried?.()
    this.#incarnation = crypto.randomUUID()
  }
}

import { beatMs, sendHeartbeat } from '@onrush/fleet/heartbeat'
import type { Redis } from '@onrush/fleet/redis'
import type { NodeRecord } from '@onrush/protocol/node'
import type { Log } from '@onrush/web/log'

/** Says each second that this reporter lives. One that was given up meanwhile comes back as somebody new. */
export class HeartbeatLoop {
  readonly #redis: Redis
  readonly #record: () => NodeRecord
  readonly #log: Log
  #incarnation = crypto.randomUUID()
  #timer: NodeJS.Timeout | undefined
  #busy = false

  constructor(redis: Redis, record: () => NodeRecord, log: Log) {
    this.#redis = redis
    this.#record = record
    this.#log = log
  }

  async start(): Promise<void> {
    await this.#beat()
    this.#timer = setInterval(() => {
      if (this.#busy) return
      this.#beat().catch((error: unknown) => this.#log('warn', 'a heartbeat failed', { error }))
    }, beatMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #beat(): Promise<void> {
    this.#busy = true
    try {
      const pulse = await sendHeartbeat(this.#redis, this.#record(), this.#incarnation)
      if (pulse.state === 'buried') this.#incarnation = crypto.randomUUID()
    } finally {
      this.#busy = false
    }
  }
}

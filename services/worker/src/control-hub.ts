import { type ControlMessage, listen } from '@onrush/fleet/control'
import type { Redis } from '@onrush/fleet/redis'

/** The control channel, heard once per process and handed to whoever waits for a run's messages. */
export class ControlHub {
  readonly #listeners = new Set<(message: ControlMessage) => void>()

  static async open(subscriber: Redis): Promise<ControlHub> {
    const hub = new ControlHub()
    await listen(subscriber, message => {
      for (const listener of hub.#listeners) listener(message)
    })
    return hub
  }

  on(listener: (message: ControlMessage) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

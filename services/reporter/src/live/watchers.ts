import type { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import { Feed } from '@onrush/web/feed'
import type { ClientSocket } from '@onrush/web/listen'

/** Everyone who watches one run here. Who stops reading is cut off, and costs the others nothing. */
export class Watchers {
  readonly #now: () => number
  readonly #feeds = new Map<ClientSocket, Feed>()

  constructor(now: () => number) {
    this.#now = now
  }

  get count(): number {
    return this.#feeds.size
  }

  add(socket: ClientSocket, first: JobMonitorMessage): void {
    const feed = new Feed(socket, this.#now)
    this.#feeds.set(socket, feed)
    feed.push(JSON.stringify(first))
  }

  remove(socket: ClientSocket): void {
    this.#feeds.delete(socket)
  }

  /** Written as text once for all. */
  send(message: JobMonitorMessage): void {
    if (this.#feeds.size === 0) return
    const text = JSON.stringify(message)
    for (const [socket, feed] of this.#feeds) if (!feed.push(text)) this.#feeds.delete(socket)
  }

  /** Sends what slow clients have missed, and cuts off those that stopped reading. */
  tick(): void {
    for (const [socket, feed] of this.#feeds) if (!feed.tick()) this.#feeds.delete(socket)
  }

  dismiss(): void {
    for (const socket of this.#feeds.keys()) socket.close(1000, 'the run has ended')
    this.#feeds.clear()
  }
}

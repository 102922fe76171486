import { Feed, type FeedSocket } from '@onrush/web/feed'

/** Everyone who watches something of this worker: its engine, or its compiler. */
export class MonitorHub<T> {
  readonly #feeds = new Map<FeedSocket, Feed>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  add(socket: FeedSocket, first: T): void {
    const feed = new Feed(socket, this.#now)
    this.#feeds.set(socket, feed)
    feed.push(JSON.stringify(first))
  }

  remove(socket: FeedSocket): void {
    this.#feeds.delete(socket)
  }

  send(message: T): void {
    if (this.#feeds.size === 0) return
    const text = JSON.stringify(message)
    for (const [socket, feed] of this.#feeds) if (!feed.push(text)) this.#feeds.delete(socket)
  }

  /** Cuts off who has stopped reading. */
  tick(): void {
    for (const [socket, feed] of this.#feeds) if (!feed.tick()) this.#feeds.delete(socket)
  }
}

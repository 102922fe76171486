/** What a feed needs of a websocket. */
export interface FeedSocket {
  readonly bufferedAmount: number
  send(text: string): void
  terminate(): void
}

export interface FeedLimits {
  /** Beyond this many buffered bytes a client is slow: it gets only the latest message once it has caught up. */
  readonly slowBytes: number
  /** A client that stays slow this long is cut off. */
  readonly stallMs: number
}

export const defaultFeedLimits: FeedLimits = { slowBytes: 256 * 1024, stallMs: 3_000 }

/**
 * One client of a stream of messages each of which makes the one before it stale. A client that stops reading costs the
 * bytes of `slowBytes` and one held message, and nobody else anything.
 */
export class Feed {
  private readonly socket: FeedSocket
  private readonly limits: FeedLimits
  private readonly now: () => number
  private held: string | undefined
  private slowSince: number | undefined
  skipped = 0

  constructor(socket: FeedSocket, now: () => number, limits: FeedLimits = defaultFeedLimits) {
    this.socket = socket
    this.now = now
    this.limits = limits
  }

  /** False once the client has been cut off. */
  push(text: string): boolean {
    if (this.socket.bufferedAmount <= this.limits.slowBytes) {
      this.slowSince = undefined
      this.held = undefined
      this.socket.send(text)
      return true
    }
    if (this.held !== undefined) this.skipped++
    this.held = text
    this.slowSince ??= this.now()
    if (this.now() - this.slowSince < this.limits.stallMs) return true
    this.socket.terminate()
    return false
  }

  /** Called now and then: sends what was held once the client has caught up, cuts it off when it has not for too long. */
  tick(): boolean {
    return this.held === undefined || this.push(this.held)
  }
}

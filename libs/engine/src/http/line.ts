import type { Socket } from 'node:net'
import type { Dialer, Dialled, DialTarget } from './dialer.ts'
import type { Exchange } from './exchange.ts'
import type { ProxyServer } from './proxy.ts'

/** Where a line leads; the same for all lines to an origin. */
export interface LineSettings {
  readonly origin: string
  /** As a `host` header says it: with the port where it is not the scheme's own. */
  readonly authority: string
  readonly target: Omit<DialTarget, 'onread'>
  readonly dialer: Dialer
  readonly http2: boolean
  /** Set where requests go to a proxy with their whole URL. */
  readonly forward: ProxyServer | undefined
}

/** Gets back what has become free. */
export interface LineOwner {
  freed(line: Line): void
}

/**
 * One connection that we open and measure ourselves, at most one at a time, and what of it the exchanges on it see. Who
 * speaks over it is the subclass.
 */
export abstract class Line {
  tcp: Socket | undefined
  /** Several exchanges at once, so that the socket's counters belong to none of them. */
  isShared = false
  /** The socket's counters when the last exchange ended. */
  countedIn = 0
  countedOut = 0
  running = 0
  isDialling = false
  protected readonly settings: LineSettings
  /** The one that was sent last; it pays for the connection that it needs. */
  protected latest: Exchange | undefined
  protected isBroken = false
  readonly #owner: LineOwner
  #cancelDial: (() => void) | undefined

  constructor(settings: LineSettings, owner: LineOwner) {
    this.settings = settings
    this.#owner = owner
  }

  /** Free for one more without another connection being opened. */
  get isUsable(): boolean {
    return !this.isBroken && this.tcp !== undefined && !this.tcp.destroyed
  }

  /** Not to be used again when it has stood idle until then. */
  get idleUntil(): number {
    return Number.POSITIVE_INFINITY
  }

  send(exchange: Exchange): void {
    this.running++
    this.latest = exchange
    exchange.line = this
    this.speak(exchange)
  }

  /** The exchange has ended and makes room; with `broken` the connection is of no more use. */
  free(exchange: Exchange, broken: boolean): void {
    this.#leave(exchange)
    if (broken && !this.isShared) this.isBroken = true
    this.#owner.freed(this)
  }

  /** The exchange has ended before its connection stood. */
  abandon(exchange: Exchange): void {
    this.#leave(exchange)
    // Nobody can take back one request that waits; a line that is not shared has just this one.
    if (!this.isShared && this.running === 0) this.destroy()
    this.#owner.freed(this)
  }

  destroy(): void {
    this.isBroken = true
    this.#cancelDial?.()
    this.#cancelDial = undefined
    this.isDialling = false
    this.hangUp()
  }

  protected abstract speak(exchange: Exchange): void

  protected abstract hangUp(): void

  protected dial(
    onread: DialTarget['onread'],
    done: (error: Error | undefined, dialled: Dialled | undefined) => void,
  ): void {
    const exchange = this.latest
    this.isDialling = true
    this.#cancelDial = this.settings.dialer.dial(
      { ...this.settings.target, onread },
      exchange?.request.timeouts.connect ?? Number.POSITIVE_INFINITY,
      (error, dialled) => {
        this.isDialling = false
        this.#cancelDial = undefined
        if (dialled !== undefined) {
          this.tcp = dialled.tcp
          this.countedIn = 0
          this.countedOut = 0
          this.isShared = 'alpnProtocol' in dialled.socket && dialled.socket.alpnProtocol === 'h2'
          if (exchange !== undefined) {
            exchange.connectMicros = dialled.connectMicros
            exchange.tlsMicros = dialled.tlsMicros
          }
        }
        done(error, dialled)
      },
    )
  }

  #leave(exchange: Exchange): void {
    this.running--
    if (this.latest === exchange) this.latest = undefined
  }
}

import { Readable } from 'node:stream'
import { Client, type Dispatcher } from 'undici'
import type { Dialer, DialTarget } from './dialer.ts'
import type { Exchange, Line } from './exchange.ts'
import { bareHost, type ProxyServer } from './proxy.ts'
import type { WireRequest } from './transport.ts'

/** Where a line leads; the same for all lines to an origin. */
export interface LineSettings {
  readonly origin: string
  readonly dialer: Dialer
  readonly http2: boolean
  /** Set where requests go to a proxy with their whole URL. */
  readonly forward: ProxyServer | undefined
}

/** Gets back what has become free. */
export interface LineOwner {
  freed(line: UndiciLine): void
}

/**
 * How long an idle connection is kept when the server does not say: a user's pause must not cost a new connection. A
 * server that closes earlier is noticed when it does.
 */
const keepIdleMs = 60_000

/**
 * One undici client: one connection at a time, for one exchange at a time, unless HTTP/2 was agreed on. Undici's own
 * pool is not used: it looks through all of its clients for a free one, at each request.
 */
export class UndiciLine implements Line {
  tcp: Line['tcp']
  isShared = false
  countedIn = 0
  countedOut = 0
  running = 0
  isDialling = false
  readonly #settings: LineSettings
  readonly #target: { host: string; port: number; secure: boolean }
  readonly #owner: LineOwner
  readonly #client: Client
  #latest: Exchange | undefined
  #cancelDial: (() => void) | undefined
  #isBroken = false

  constructor(settings: LineSettings, owner: LineOwner) {
    const url = new URL(settings.origin)
    const secure = url.protocol === 'https:'
    this.#target = {
      host: bareHost(url.hostname),
      port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
      secure,
    }
    this.#settings = settings
    this.#owner = owner
    this.#client = new Client(settings.origin, {
      pipelining: 1,
      keepAliveTimeout: keepIdleMs,
      allowH2: settings.http2,
      connect: (options, callback) => this.#dial({ ...this.#target, servername: options.servername }, callback),
    })
  }

  /** Free for one more without another connection being opened. */
  get isUsable(): boolean {
    return !this.#isBroken && this.tcp !== undefined && !this.tcp.destroyed
  }

  send(exchange: Exchange): void {
    const { request } = exchange
    this.running++
    this.#latest = exchange
    exchange.line = this
    this.#client.dispatch(
      {
        path: this.#settings.forward === undefined ? request.path : request.origin + request.path,
        method: request.method,
        headers: this.#headersOf(request),
        body: bodyOf(request.body),
        // Deadlines are ours. undici would otherwise arm and disarm two timers for each request.
        headersTimeout: 0,
        bodyTimeout: 0,
        // Otherwise undici closes the connection after each HEAD, and after a DELETE or GET with a body.
        reset: false,
      },
      exchange,
    )
  }

  free(exchange: Exchange, broken: boolean): void {
    this.running--
    if (this.#latest === exchange) this.#latest = undefined
    if (broken && !this.isShared) this.#isBroken = true
    this.#owner.freed(this)
  }

  abandon(exchange: Exchange): void {
    this.running--
    if (this.#latest === exchange) this.#latest = undefined
    // undici has no way to take back one request that waits; a line that is not shared has just this one.
    if (!this.isShared && this.running === 0) this.destroy()
    this.#owner.freed(this)
  }

  destroy(): void {
    this.#isBroken = true
    this.#cancelDial?.()
    this.#cancelDial = undefined
    this.isDialling = false
    void this.#client.destroy()
  }

  #dial(target: DialTarget, callback: (...result: [null, NonNullable<Line['tcp']>] | [Error, null]) => void): void {
    const exchange = this.#latest
    this.isDialling = true
    this.#cancelDial = this.#settings.dialer.dial(
      target,
      exchange?.request.timeouts.connect ?? Number.POSITIVE_INFINITY,
      (error, dialled) => {
        this.isDialling = false
        this.#cancelDial = undefined
        if (dialled === undefined) {
          callback(error ?? new Error('no connection'), null)
          return
        }
        this.tcp = dialled.tcp
        this.countedIn = 0
        this.countedOut = 0
        this.isShared = 'alpnProtocol' in dialled.socket && dialled.socket.alpnProtocol === 'h2'
        if (exchange !== undefined) {
          exchange.connectMicros = dialled.connectMicros
          exchange.tlsMicros = dialled.tlsMicros
        }
        callback(null, dialled.socket)
      },
    )
  }

  #headersOf({ headers, body }: WireRequest): string[] {
    const authorization = this.#settings.forward?.authorization
    const isSource = typeof body === 'object' && !(body instanceof Uint8Array)
    if (authorization === undefined && !isSource) return headers
    return [
      ...headers,
      ...(authorization === undefined ? [] : ['proxy-authorization', authorization]),
      ...(isSource ? ['content-length', String(body.length)] : []),
    ]
  }
}

function bodyOf(body: WireRequest['body']): Dispatcher.DispatchOptions['body'] {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  return Readable.from(body.open(), { objectMode: false })
}

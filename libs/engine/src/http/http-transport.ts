import { performance } from 'node:perf_hooks'
import type { HttpDefaults } from '@onrush/protocol/http-step'
import { AbortSlots } from './abort-slots.ts'
import { DeadlineWheel } from './deadline-wheel.ts'
import { Dialer } from './dialer.ts'
import { Exchange } from './exchange.ts'
import { Http1Line } from './http1-line.ts'
import { mayBeHttp2, type OpenLine, OriginLines } from './origin-lines.ts'
import { bareHost, type ProxyServer, readProxy } from './proxy.ts'
import { serverName } from './server-name.ts'
import type { TargetGuard } from './target-guard.ts'
import { type Files, readTls } from './tls-settings.ts'
import type { Answer, ConnectionKey, Transport, WireRequest } from './transport.ts'
import { UndiciLine } from './undici-line.ts'

export interface TransportOptions {
  readonly http: Pick<HttpDefaults, 'tls' | 'proxy' | 'http2' | 'hosts' | 'maxConnections'>
  /** Names of files as the script writes them, to where they lie. */
  readonly files: Files
  readonly guard?: TargetGuard
}

const tickMs = 20
const ticks = 256
/** How often connections are looked for that have been idle for too long. */
const sweepEveryMs = 1000

/**
 * HTTP over connections that we choose and measure ourselves: HTTP/1.1 is our own, and where HTTP/2 may be agreed on it
 * is undici's. One per thread.
 */
export class HttpTransport implements Transport {
  readonly #dialer: Dialer
  readonly #http2: boolean
  readonly #most: number
  readonly #openLine: OpenLine
  readonly #proxy: ProxyServer | undefined
  readonly #common = new Map<string, OriginLines>()
  readonly #own = new Map<ConnectionKey, Map<string, OriginLines>>()
  readonly #wheel = new DeadlineWheel<Exchange>(performance.now(), tickMs, ticks)
  readonly #aborts = new AbortSlots(interrupted)
  #nextSweep = 0
  #ticking: NodeJS.Timeout | undefined
  #isClosed = false

  /** Throws `OnrushError` for certificates or a proxy that cannot be used. */
  constructor({ http, files, guard }: TransportOptions, openLine: OpenLine = lineFor) {
    this.#openLine = openLine
    this.#proxy = http.proxy === undefined ? undefined : readProxy(http.proxy)
    this.#http2 = http.http2 === true
    this.#most = http.maxConnections ?? Number.POSITIVE_INFINITY
    this.#dialer = new Dialer({
      tls: readTls(http.tls, files),
      http2: this.#http2,
      hosts: new Map(Object.entries(http.hosts ?? {})),
      proxy: this.#proxy,
      guard,
    })
  }

  send(request: WireRequest, signal?: AbortSignal): Promise<Answer> {
    return new Promise(resolve => {
      const exchange = new Exchange(request, performance.now(), this.#wheel, resolve)
      this.#wheel.add(exchange, exchange.totalBy)
      if (this.#isClosed || signal?.aborted) {
        exchange.abort(interrupted)
        return
      }
      if (signal !== undefined) this.#aborts.watch(signal, exchange)
      // Open sockets keep a process alive as long as something is under way; the clock need not.
      this.#ticking ??= setInterval(() => this.#tick(), tickMs).unref()
      this.#linesFor(request).send(exchange)
    })
  }

  release(key: ConnectionKey): void {
    const lines = this.#own.get(key)
    if (lines === undefined) return
    this.#own.delete(key)
    for (const each of lines.values()) each.close()
  }

  close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#ticking)
    for (const exchange of this.#wheel.entries()) exchange.abort(interrupted)
    for (const lines of this.#common.values()) lines.close()
    for (const key of this.#own.keys()) this.release(key)
    this.#common.clear()
    return Promise.resolve()
  }

  #tick(): void {
    const now = performance.now()
    this.#wheel.advance(now, expire)
    if (now < this.#nextSweep) return
    this.#nextSweep = now + sweepEveryMs
    closeIdle(this.#common, now)
    for (const own of this.#own.values()) closeIdle(own, now)
  }

  #linesFor({ origin, connections, headers }: WireRequest): OriginLines {
    let lines = this.#common
    if (connections !== undefined) {
      lines = this.#own.get(connections) ?? new Map()
      this.#own.set(connections, lines)
    }
    const servername = origin.startsWith('https:') ? serverName(headers) : undefined
    // A connection belongs to the name that it was opened for.
    const place = servername === undefined ? origin : `${origin} ${servername}`
    let found = lines.get(place)
    if (found === undefined) {
      const { protocol, host: authority, hostname, port } = new URL(origin)
      const secure = protocol === 'https:'
      const settings = {
        origin,
        authority,
        target: { host: bareHost(hostname), port: Number(port || (secure ? 443 : 80)), secure, servername },
        dialer: this.#dialer,
        http2: this.#http2,
        forward: secure ? undefined : this.#proxy,
      }
      // A session with connections of its own uses one at a time, however many all sessions together may have.
      const most = connections === undefined ? this.#most : Number.POSITIVE_INFINITY
      found = new OriginLines(settings, most, this.#openLine)
      lines.set(place, found)
    }
    return found
  }
}

const lineFor: OpenLine = (settings, owner) =>
  mayBeHttp2(settings) ? new UndiciLine(settings, owner) : new Http1Line(settings, owner)

/** Where nothing is left open is forgotten: a script may make up an origin for each request. */
function closeIdle(all: Map<string, OriginLines>, now: number): void {
  for (const [place, lines] of all) {
    lines.closeIdle(now)
    if (lines.isEmpty) all.delete(place)
  }
}

const expire = (exchange: Exchange): void => exchange.expire()

const interrupted = { kind: 'interrupted', message: 'the run ended while this request was under way' } as const

import { performance } from 'node:perf_hooks'
import type { HttpDefaults } from '@onrush/protocol/http-step'
import { AbortSlots } from './abort-slots.ts'
import { DeadlineWheel } from './deadline-wheel.ts'
import { Dialer } from './dialer.ts'
import { Exchange } from './exchange.ts'
import { OriginLines } from './origin-lines.ts'
import { type ProxyServer, readProxy } from './proxy.ts'
import type { TargetGuard } from './target-guard.ts'
import { type Files, readTls } from './tls-settings.ts'
import type { Answer, ConnectionKey, Transport, WireRequest } from './transport.ts'

export interface TransportOptions {
  readonly http: Pick<HttpDefaults, 'tls' | 'proxy' | 'http2' | 'hosts' | 'maxConnections'>
  /** Names of files as the script writes them, to where they lie. */
  readonly files: Files
  readonly guard?: TargetGuard
}

const tickMs = 20
const ticks = 256

/** HTTP by undici's `dispatch`, over connections that we choose and measure ourselves. One per thread. */
export class UndiciTransport implements Transport {
  readonly #dialer: Dialer
  readonly #http2: boolean
  readonly #most: number
  readonly #proxy: ProxyServer | undefined
  readonly #common = new Map<string, OriginLines>()
  readonly #own = new Map<ConnectionKey, Map<string, OriginLines>>()
  readonly #wheel = new DeadlineWheel<Exchange>(performance.now(), tickMs, ticks)
  readonly #aborts = new AbortSlots(interrupted)
  #ticking: NodeJS.Timeout | undefined
  #isClosed = false

  /** Throws `OnrushError` for certificates or a proxy that cannot be used. */
  constructor({ http, files, guard }: TransportOptions) {
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
    this.#wheel.advance(performance.now(), expire)
  }

  #linesFor({ origin, connections }: WireRequest): OriginLines {
    let lines = this.#common
    if (connections !== undefined) {
      lines = this.#own.get(connections) ?? new Map()
      this.#own.set(connections, lines)
    }
    let found = lines.get(origin)
    if (found === undefined) {
      const forward = origin.startsWith('http:') ? this.#proxy : undefined
      const settings = { origin, dialer: this.#dialer, http2: this.#http2, forward }
      // A session with connections of its own uses one at a time, however many all sessions together may have.
      found = new OriginLines(settings, connections === undefined ? this.#most : Number.POSITIVE_INFINITY)
      lines.set(origin, found)
    }
    return found
  }
}

const expire = (exchange: Exchange): void => exchange.expire()

const interrupted = { kind: 'interrupted', message: 'the run ended while this request was under way' } as const

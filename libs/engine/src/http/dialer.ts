import { isIP, type OnReadOpts, connect as openTcp, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { connect as openTls, type TLSSocket } from 'node:tls'
import { ExchangeError, type Stage, toFailure } from './failure.ts'
import { NameLookup } from './name-lookup.ts'
import { openTunnel, type ProxyServer } from './proxy.ts'
import type { TargetGuard } from './target-guard.ts'
import type { TlsSettings } from './tls-settings.ts'

export interface DialTarget {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  /** Whose certificate is asked for, where that is not the host's. */
  readonly servername: string | undefined
  /** Gets what comes in, without a stream between, where it comes as it is: not through TLS, nor through a proxy. */
  readonly onread: OnReadOpts | undefined
}

export interface Dialled {
  /** To speak HTTP over. */
  readonly socket: Socket | TLSSocket
  /** Whose bytes are those on the wire. */
  readonly tcp: Socket
  /** What comes in goes to the target's `onread`; otherwise it is the socket's to give. */
  readonly isRead: boolean
  readonly connectMicros: number
  readonly tlsMicros: number
}

export interface DialerOptions {
  readonly tls: TlsSettings
  readonly http2: boolean
  readonly hosts: ReadonlyMap<string, string>
  readonly proxy: ProxyServer | undefined
  readonly guard: TargetGuard | undefined
}

type Done = (error: ExchangeError | undefined, dialled: Dialled | undefined) => void

/**
 * How long an address of a name is tried before the next one is tried too. Node's 250 ms are too short for a generator
 * under load: a busy moment would look like an address that does not answer.
 */
const nextAddressAfter = 2000

/** Opens connections, and measures and checks what it opens. Each is a new one in full: TLS sessions are not resumed. */
export class Dialer {
  readonly #options: DialerOptions
  readonly #names = new NameLookup()

  constructor(options: DialerOptions) {
    this.#options = options
  }

  /** `done` is called once, unless the returned function has cancelled the attempt before. */
  dial(target: DialTarget, timeout: number, done: Done): () => void {
    const { proxy, guard } = this.#options
    const startedAt = performance.now()
    let stage: Stage = 'name'
    let over = false
    let tcp: Socket | undefined
    let outer: Socket | TLSSocket | undefined

    const end = () => {
      over = true
      clearTimeout(timer)
    }
    const cancel = () => {
      if (over) return
      end()
      outer?.destroy()
      tcp?.destroy()
    }
    const fail = (error: unknown) => {
      if (over) return
      cancel()
      const { kind, message } = toFailure(error, stage)
      done(new ExchangeError(kind, message), undefined)
    }
    const timer = Number.isFinite(timeout)
      ? setTimeout(() => fail(new ExchangeError('timeout_connect', tookTooLong(target, timeout, stage))), timeout)
      : undefined

    const succeed = (socket: Socket | TLSSocket, wire: Socket, connectedAt: number) => {
      if (over) return
      end()
      // What stays attached would keep this whole attempt in memory as long as the connection lasts.
      socket.removeListener('error', fail)
      wire.removeListener('error', fail)
      wire.removeAllListeners('lookup')
      const now = performance.now()
      const connectMicros = Math.max(1, Math.round((connectedAt - startedAt) * 1000))
      const tlsMicros = target.secure ? Math.max(1, Math.round((now - connectedAt) * 1000)) : 0
      done(undefined, { socket, tcp: wire, isRead: onread !== undefined, connectMicros, tlsMicros })
    }
    const secure = (socket: Socket, wire: Socket) => {
      const connectedAt = performance.now()
      if (!target.secure) return succeed(socket, wire, connectedAt)
      stage = 'tls'
      const name = this.#options.tls.servername ?? target.servername ?? target.host
      outer = this.#encrypt(socket, name, this.#options.http2, tls => succeed(tls, wire, connectedAt))
      outer.on('error', fail)
    }

    const place = proxy ?? target
    const onread = proxy === undefined && !target.secure ? target.onread : undefined
    const refusal =
      (proxy === undefined ? undefined : guard?.refusal(target.host, undefined, target.port)) ??
      this.#refusalOfAddress(place)
    if (refusal !== undefined) {
      queueMicrotask(() => fail(new ExchangeError('target_refused', refusal)))
      return cancel
    }
    const wire = this.#openTcp(place.host, place.port, onread)
    tcp = wire
    wire.on('error', fail)
    wire.once('lookup', () => {
      stage = 'tcp'
    })
    wire.once('connect', () => {
      if (over) return
      wire.setKeepAlive(true, 60_000)
      stage = 'tcp'
      if (proxy === undefined) return secure(wire, wire)
      stage = 'proxy'
      const reached = (socket: Socket) => {
        // A plain request goes to the proxy itself, with its whole URL; only TLS needs a tunnel.
        if (!target.secure) return secure(socket, wire)
        openTunnel(socket, authority(target), proxy, error => (error ? fail(error) : secure(socket, wire)))
      }
      if (!proxy.secure) return reached(wire)
      outer = this.#encrypt(wire, proxy.host, false, reached)
      outer.on('error', fail)
    })
    return cancel
  }

  #openTcp(named: string, port: number, onread: OnReadOpts | undefined): Socket {
    // Where a script says itself which address a name has, that address is what is judged.
    const host = this.#options.hosts.get(named) ?? named
    return openTcp({
      host,
      port,
      noDelay: true,
      ...(onread === undefined ? {} : { onread }),
      autoSelectFamilyAttemptTimeout: nextAddressAfter,
      lookup: (name, options, found) => {
        this.#names.find(name, performance.now(), (error, addresses) => {
          const refusal = addresses.map(({ address }) => this.#options.guard?.refusal(host, address, port)).find(isText)
          const first = addresses[0]
          const wrong =
            error ??
            (refusal === undefined ? undefined : new ExchangeError('target_refused', refusal)) ??
            (first === undefined ? new ExchangeError('dns', `${name} has no address`) : undefined)
          if (wrong !== undefined || first === undefined) found(wrong ?? null, '', 0)
          else if (options.all) found(null, [...addresses])
          else found(null, first.address, first.family)
        })
      },
    })
  }

  /** Addresses are not looked up, so they are checked here. */
  #refusalOfAddress({ host, port }: { readonly host: string; readonly port: number }): string | undefined {
    const address = this.#options.hosts.get(host) ?? host
    return isIP(address) === 0 ? undefined : this.#options.guard?.refusal(address, address, port)
  }

  /** `name` is whose certificate is expected. */
  #encrypt(socket: Socket, name: string, http2: boolean, ready: (socket: TLSSocket) => void): TLSSocket {
    const { context, insecure } = this.#options.tls
    const tls = openTls({
      socket,
      host: name,
      secureContext: context,
      rejectUnauthorized: !insecure,
      ALPNProtocols: http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
      ...(isIP(name) === 0 ? { servername: name } : {}),
    })
    socket.on('error', error => tls.destroy(error))
    tls.once('secureConnect', () => ready(tls))
    return tls
  }
}

const isText = (value: string | undefined): value is string => value !== undefined

const authority = ({ host, port }: DialTarget): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

const waitingFor = {
  name: 'the name was not resolved',
  tcp: 'nothing accepted the connection',
  proxy: 'the proxy opened no tunnel',
  tls: 'the TLS handshake did not end',
  exchange: 'the connection was not ready',
}

const tookTooLong = (target: DialTarget, timeout: number, stage: Stage): string =>
  `no connection to ${authority(target)} within ${Math.round(timeout)} ms: ${waitingFor[stage]}`

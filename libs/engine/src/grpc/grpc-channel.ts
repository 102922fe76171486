import {
  Channel,
  type ChannelCredentials,
  connectivityState,
  credentials,
  experimental,
  logVerbosity,
  Metadata,
  setLogVerbosity,
} from '@grpc/grpc-js'
import manifest from '../../package.json' with { type: 'json' }

export type Call = ReturnType<Channel['createCall']>
export type CallMetadata = Metadata

export interface Tls {
  readonly ca: Buffer | undefined
  readonly cert: Buffer | undefined
  readonly key: Buffer | undefined
  readonly insecure: boolean
}

/** What a call tells, in this order: headers at most once, messages, the status once. */
export interface CallListener {
  onReceiveMetadata(metadata: Metadata): void
  onReceiveMessage(message: Buffer): void
  onReceiveStatus(status: { code: number; details: string; metadata: Metadata }): void
}

/**
 * Addresses that were looked up and checked, of both families: gRPC's own forms take one family at a time, and a
 * `localhost` that is ::1 first would not be found at 127.0.0.1.
 */
class CheckedAddresses implements experimental.Resolver {
  readonly #endpoints: experimental.Endpoint[]
  readonly #listener: experimental.ResolverListener
  #told = false

  constructor(target: experimental.GrpcUri, listener: experimental.ResolverListener) {
    this.#listener = listener
    this.#endpoints = target.path.split(',').map(place => {
      const { host, port = 0 } = experimental.splitHostPort(place) ?? { host: place }
      return { addresses: [{ host, port }] }
    })
  }

  updateResolution(): void {
    if (this.#told) return
    this.#told = true
    queueMicrotask(() => {
      if (this.#told) this.#listener(experimental.statusOrFromValue(this.#endpoints), {}, null, '')
    })
  }

  destroy(): void {
    this.#told = false
  }

  static getDefaultAuthority({ path }: experimental.GrpcUri): string {
    return path.split(',')[0] ?? ''
  }
}

// A failed call is counted, not written to the error stream.
setLogVerbosity(logVerbosity.NONE)

const scheme = 'onrush'
experimental.registerResolver(scheme, CheckedAddresses)

const mostBytes = 64 * 1_048_576

/**
 * One HTTP/2 connection to an address that has been looked up and checked. `authority` is the name that the server
 * sees, and that its certificate is for.
 */
export class GrpcChannel {
  readonly #channel: Channel
  #isConnecting = false
  #isClosed = false

  /** `places` like `127.0.0.1:7091` and `[::1]:7091`, tried in their order. */
  constructor(places: readonly string[], authority: string, tls: ChannelCredentials) {
    this.#channel = new Channel(`${scheme}:${places.join(',')}`, tls, {
      'grpc.default_authority': authority,
      'grpc.primary_user_agent': `onrush/${manifest.version}`,
      'grpc.ssl_target_name_override': hostOf(authority),
      // Connections would be shared by all channels of the thread: sessions with one of their own would have none.
      'grpc.use_local_subchannel_pool': 1,
      // A repeated call would be load that nobody planned and no count shows.
      'grpc.enable_retries': 0,
      'grpc.service_config_disable_resolution': 1,
      'grpc.enable_channelz': 0,
      'grpc.enable_http_proxy': 0,
      // A target that comes back is to be found soon: the default waits up to two minutes.
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1000,
      'grpc.max_receive_message_length': mostBytes,
      'grpc.max_send_message_length': mostBytes,
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get isConnected(): boolean {
    return this.#channel.getConnectivityState(false) === connectivityState.READY
  }

  /** A call can be sent, or will fail at once and say why. */
  get isSettled(): boolean {
    const state = this.#channel.getConnectivityState(false)
    return state === connectivityState.READY || state === connectivityState.TRANSIENT_FAILURE
  }

  /**
   * Waits until it is settled, until that time (Unix milliseconds), or until the signal. True for the one who began the
   * connection, to whom its duration belongs.
   */
  settle(until: number, signal: AbortSignal): Promise<boolean> {
    const begins = !this.#isConnecting
    this.#isConnecting = true
    return new Promise(resolve => {
      const done = (): void => {
        signal.removeEventListener('abort', done)
        this.#isConnecting = false
        resolve(begins)
      }
      const look = (late?: Error): void => {
        const state = this.#channel.getConnectivityState(true)
        if (late !== undefined || signal.aborted || this.isSettled || state === connectivityState.SHUTDOWN) done()
        else this.#channel.watchConnectivityState(state, until, look)
      }
      signal.addEventListener('abort', done)
      look()
    })
  }

  /** `deadline` is in Unix milliseconds and told to the server; `Infinity` for none. */
  start(path: string, metadata: Metadata, deadline: number, listener: CallListener): Call {
    const call = this.#channel.createCall(path, deadline, undefined, null, undefined)
    call.start(metadata, listener)
    return call
  }

  close(): void {
    this.#isClosed = true
    this.#channel.close()
  }
}

function hostOf(authority: string): string {
  const colon = authority.lastIndexOf(':')
  return (colon === -1 ? authority : authority.slice(0, colon)).replace(/^\[(.*)\]$/, '$1')
}

export function cancel(call: Call, code: number, why: string): void {
  call.cancelWithStatus(code, why)
}

/** Throws for certificates that cannot be used. One for all channels, or each would parse them again. */
export function channelCredentials(tls: Tls | undefined): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure()
  const { ca = null, cert = null, key = null } = tls
  return credentials.createSsl(ca, key, cert, { rejectUnauthorized: !tls.insecure })
}

/** Throws for a name or value that metadata cannot hold. Names that end in `-bin` take base64. */
export function metadataOf(pairs: readonly (readonly [name: string, value: string])[]): Metadata {
  const metadata = new Metadata()
  for (const [name, value] of pairs) {
    metadata.add(name, name.toLowerCase().endsWith('-bin') ? Buffer.from(value, 'base64') : value)
  }
  return metadata
}

/** As scripts read it: binary values in base64. */
export function headersOf(metadata: Metadata): { [name: string]: string[] } {
  const headers: { [name: string]: string[] } = {}
  const all = metadata.toJSON()
  for (const name in all) headers[name] = (all[name] ?? []).map(textOf)
  return headers
}

const textOf = (value: string | Buffer): string => (typeof value === 'string' ? value : value.toString('base64'))

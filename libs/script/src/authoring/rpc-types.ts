import type { Duration } from './duration.ts'
import type { Json } from './json.ts'
import type { RequestOptions } from './request.ts'

export interface GrpcConnection {
  /** `host:port`; may be a template: `{{$._env.catalog}}`. */
  readonly address: string
  /** `.proto` files beside the script; without them the server is asked (reflection). */
  readonly proto?: string | readonly string[]
  /** Folders where imports are looked up. */
  readonly includes?: readonly string[]
  readonly tls?:
    | boolean
    | { readonly ca?: string; readonly cert?: string; readonly key?: string; readonly insecure?: boolean }
  readonly channel?: 'per-thread' | 'per-session'
  readonly metadata?: { readonly [name: string]: string }
  readonly deadline?: Duration
}

export interface GrpcOptions extends RequestOptions {
  /** A connection of the simulation's `grpc`; the only one is the default. */
  readonly on?: string
  /** What a unary or server-streaming call sends. */
  readonly message?: Json
  /** What a client-streaming call sends. */
  readonly messages?: readonly Json[]
  readonly metadata?: { readonly [name: string]: string }
  readonly deadline?: Duration
  /** Of a stream, how many messages are kept (default 1000). */
  readonly maxMessages?: number
}

export interface GrpcStep extends GrpcOptions {
  readonly type: 'grpc'
  readonly name: string
  /** `package.Service/Method` */
  readonly method: string
}

export interface JsonRpcDefaults {
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
}

/** By position or by name. */
export type Params = readonly Json[] | { readonly [name: string]: Json }

export interface JsonRpcOptions extends RequestOptions {
  /** The endpoint, where it is not the simulation's `jsonrpc.url`. */
  readonly url?: string
  readonly headers?: { readonly [name: string]: string }
  readonly timeout?: Duration
}

export interface JsonRpcCall {
  readonly method: string
  readonly params?: Params
  /** Sent without an id: the server does not answer it, and its place in the results is `null`. */
  readonly notification?: boolean
}

export interface JsonRpcStep extends JsonRpcOptions {
  readonly type: 'jsonrpc'
  readonly name: string
  readonly method?: string
  readonly params?: Params
  readonly notification?: boolean
  readonly batch?: readonly JsonRpcCall[]
}

import type { Duration } from './duration.ts'
import type { Json } from './json.ts'
import type { RequestOptions } from './request.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

type Text = string | number | boolean
export interface Fields {
  readonly [name: string]: Text | readonly Text[]
}

/** One part of a `multipart/form-data` body: a value, or a file beside the script. */
export interface Part {
  readonly name: string
  readonly value?: Text
  /** A file beside the script. */
  readonly file?: string
  readonly filename?: string
  readonly contentType?: string
}

export type Auth =
  | { readonly basic: { readonly user: string; readonly password: string } }
  | { readonly bearer: string }

export interface Timeouts {
  readonly connect?: Duration
  readonly headers?: Duration
  readonly body?: Duration
  /** From the send to the end of the response. */
  readonly total?: Duration
}

export interface HttpCommon {
  readonly headers?: { readonly [name: string]: string }
  readonly auth?: Auth
  /** For the whole request, or each phase for itself. */
  readonly timeout?: Duration | Timeouts
  /** How many redirects are followed; 0 follows none (default 10). */
  readonly redirects?: number
  /** Cookies are kept per session (default true). */
  readonly cookies?: boolean
  /** Ask for gzip, br or deflate, and decode it (default false). */
  readonly compression?: boolean
  /** Count the body, but do not keep it: nothing can be asserted on or exported from it. */
  readonly discardBody?: boolean
  /** Bytes of a response that are kept; a larger one fails the step (default 64 MiB). */
  readonly maxBody?: number
  /** `keep` shares connections among sessions (the default); `per-session` gives each session its own, as browsers do. */
  readonly connections?: 'keep' | 'per-session'
}

export interface HttpOptions extends RequestOptions, HttpCommon {
  /** Added to the URL, encoded. */
  readonly query?: Fields
  /** Text is sent as it is; anything else as JSON. */
  readonly body?: Json
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Fields
  /** Sent as `multipart/form-data`. */
  readonly multipart?: readonly Part[]
  /** The body is this file, beside the script. */
  readonly file?: string
  /** The body, in base64. */
  readonly bytes?: string
}

export interface HttpStep extends HttpOptions {
  readonly type: 'http'
  /** The metric this step is counted under. A template groups or splits URLs under it. */
  readonly name: string
  readonly method?: Method
  readonly url: string
}

export interface Tls {
  /** A PEM file beside the script. */
  readonly ca?: string
  /** The client's certificate, a PEM file beside the script. */
  readonly cert?: string
  /** The client's key, a PEM file beside the script. */
  readonly key?: string
  readonly passphrase?: string
  /** Accept any certificate. */
  readonly insecure?: boolean
  readonly servername?: string
}

/** Defaults for all HTTP steps of a simulation. */
export interface HttpDefaults extends HttpCommon {
  /** Put before URLs that start with `/`. */
  readonly baseUrl?: string
  readonly tls?: Tls
  /** `http://user:password@host:port` */
  readonly proxy?: string
  readonly http2?: boolean
  /** A name to the address used for it, as in `/etc/hosts`. */
  readonly hosts?: { readonly [host: string]: string }
  /** Per origin and thread, of connections that sessions share. */
  readonly maxConnections?: number
}

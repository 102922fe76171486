import type { HeaderSource } from '@onrush/context/headers'
import type { ErrorKind } from '../error-kind.ts'
import type { Measured } from '../measured.ts'

/** A body that is read anew for each sending: a file, too large or too shared to hold as bytes in each session. */
export interface BodySource {
  open(): AsyncIterable<Uint8Array>
  readonly length: number
}

/** One exchange as it goes to the wire: everything is rendered, nothing is left to decide. */
export interface WireRequest {
  /** `http://127.0.0.1:7090` */
  readonly origin: string
  /** `/items/3?page=2` */
  readonly path: string
  readonly method: string
  /** Names and values in turn; not what frames the message (`content-length`, `transfer-encoding`), which is the transport's. */
  readonly headers: string[]
  readonly body: string | Uint8Array | BodySource | undefined
  /** The body is counted but not kept, and `maxBody` does not apply. */
  readonly discardBody: boolean
  /** Bytes of the body that are kept at most; a larger one is the failure `too_large`. */
  readonly maxBody: number
  /** Milliseconds. */
  readonly timeouts: Timeouts
  /** Requests with the same key share connections; sessions that keep connections of their own use their own key. */
  readonly connections: ConnectionKey | undefined
}

/** Milliseconds; `Infinity` for none. */
export interface Timeouts {
  /** For one connection: name, TCP, proxy and TLS. */
  readonly connect: number
  /** From the sending to the complete head of the response. */
  readonly headers: number
  /** Between two pieces of the body. */
  readonly body: number
  /** From the call of `send` to the end of the body. */
  readonly total: number
}

/** An identity, compared with `===`; `release` it when its session ends. */
export interface ConnectionKey {
  readonly session: number
}

/**
 * Where an exchange left things: did the target see the request? `unsent`: not a byte of it left. `in-doubt`: some did,
 * and no response's head came back. `answered`: a head came back, whatever befell the body after it.
 */
export type Reach = 'unsent' | 'in-doubt' | 'answered'

export interface Failure {
  readonly kind: ErrorKind
  readonly message: string
}

/** What came of an exchange. A failed hit is data, not an exception. */
export interface Answer extends Measured {
  readonly failure: Failure | undefined
  readonly reach: Reach
  /** 0 when no response began. */
  readonly status: number
  readonly statusText: string
  /** Where it is a map, its names are in lower case. */
  readonly headers: HeaderSource
  /** As it came, still compressed if it was; on a failure what had come by then, for the failure's sample. */
  readonly body: Uint8Array
  /** Bytes of the body received, kept or not. */
  readonly bodyLength: number
}

/** The port behind which an HTTP client stands. One per thread; its contract test is shared by all of them. */
export interface Transport {
  /** Never rejects. An aborted signal ends the exchange with the failure `interrupted`. */
  send(request: WireRequest, signal?: AbortSignal): Promise<Answer>
  /** Closes the connections of a session that kept its own. */
  release(key: ConnectionKey): void
  /** Ends what is under way with the failure `interrupted` and closes every connection. */
  close(): Promise<void>
}

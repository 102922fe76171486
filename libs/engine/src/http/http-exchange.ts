import type { Context, HttpResponse, SentRequest } from '@onrush/context/context'
import type { Measured } from '../measured.ts'
import type { CookieJar } from './cookie-jar.ts'
import type { Answer, ConnectionKey, Failure, WireRequest } from './transport.ts'

/** What a session lends to its HTTP steps. Plain fields, so that the session itself can be it. */
export interface HttpSession {
  readonly context: Context
  /** Set by the first `set-cookie`; until then cookies cost nothing. A session that begins again sets it to `undefined`. */
  cookies: CookieJar | undefined
  /** Set by the first request that keeps connections of its own; whoever ends the session releases it. */
  connections: ConnectionKey | undefined
  /** The session's number, for the key. */
  readonly number: number
}

/**
 * What an HTTP step came to: from the sending of the first hop to the end of the last, connections and bytes of all of
 * them together, the first byte of the last.
 */
export interface HttpOutcome extends Measured {
  /** Set when there is nothing to assert on; the step has failed with this kind. */
  readonly failure: Failure | undefined
  /** The last answer. */
  readonly answer: Answer
  /**
   * The redirects that were followed, in order, the last answer not among them. Each was a request that the target saw:
   * requests on the wire are `hops.length + 1`, less the last one when its `reach` is `unsent`.
   */
  readonly hops: readonly Answer[]
  /** The last request as it was sent, for `_req`. */
  readonly request: SentRequest
  /** For the context. `undefined` when no response began. */
  readonly response: HttpResponse | undefined
}

/**
 * An `http` step compiled for a thread. The session layer does, in this order: `prepare` (a request may refer to the
 * last response), `context.beforeRequest()`, `await send`, `context.requestSent(outcome.request)`, and, where there is
 * a response, `context.httpResponse(outcome.response)`.
 */
export interface CompiledHttpStep {
  /** Throws `RenderError`; nothing has been sent then. */
  prepare(session: HttpSession): WireRequest
  /** Never rejects. */
  send(request: WireRequest, session: HttpSession, signal?: AbortSignal): Promise<HttpOutcome>
}

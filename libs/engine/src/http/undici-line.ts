import { Readable } from 'node:stream'
import { Client, type Dispatcher } from 'undici'
import type { Controller, Exchange } from './exchange.ts'
import { Line, type LineOwner, type LineSettings } from './line.ts'
import type { WireRequest } from './transport.ts'

/** As for a line of our own: a user's pause must not cost a new connection. */
const keepIdleMs = 60_000

/**
 * One undici client: one connection at a time, for one exchange at a time, unless HTTP/2 was agreed on. Undici's own
 * pool is not used: it looks through all of its clients for a free one, at each request.
 */
export class UndiciLine extends Line {
  readonly #client: Client

  constructor(settings: LineSettings, owner: LineOwner) {
    super(settings, owner)
    this.#client = new Client(settings.origin, {
      pipelining: 1,
      keepAliveTimeout: keepIdleMs,
      allowH2: settings.http2,
      connect: (_, callback) =>
        this.dial(undefined, (error, dialled) => {
          if (dialled === undefined) callback(error ?? new Error('no connection'), null)
          else callback(null, dialled.socket)
        }),
    })
  }

  protected speak(exchange: Exchange): void {
    const { request } = exchange
    this.#client.dispatch(
      {
        path: this.settings.forward === undefined ? request.path : request.origin + request.path,
        method: request.method,
        headers: this.#headersOf(request),
        body: bodyOf(request.body),
        // Deadlines are ours. undici would otherwise arm and disarm two timers for each request.
        headersTimeout: 0,
        bodyTimeout: 0,
        // Otherwise undici closes the connection after each HEAD, and after a DELETE or GET with a body.
        reset: false,
      },
      new Handler(exchange),
    )
  }

  protected hangUp(): void {
    void this.#client.destroy()
  }

  #headersOf({ headers, body }: WireRequest): string[] {
    const authorization = this.settings.forward?.authorization
    const isSource = typeof body === 'object' && !(body instanceof Uint8Array)
    if (authorization === undefined && !isSource) return headers
    return [
      ...headers,
      ...(authorization === undefined ? [] : ['proxy-authorization', authorization]),
      ...(isSource ? ['content-length', String(body.length)] : []),
    ]
  }
}

/** Tells an exchange in its own words what undici tells its handlers. */
class Handler implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  onRequestStart(controller: Controller): void {
    if (this.#exchange.isDone) controller.abort(new Error('ended before it was sent'))
    else this.#exchange.sent(controller)
  }

  onResponseStarted(): void {
    this.#exchange.began()
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>, text = ''): void {
    // An interim response says only that the real one is coming.
    if (status < 200) return
    const length = headers['content-length']
    const isBodyless = this.#exchange.request.method === 'HEAD' || status === 204 || status === 304
    this.#exchange.head(status, text, headers, isBodyless ? 0 : length === undefined ? undefined : Number(length))
  }

  onResponseData(_: unknown, bytes: Uint8Array): void {
    this.#exchange.piece(bytes, false)
  }

  onResponseEnd(): void {
    this.#exchange.end()
  }

  onResponseError(_: unknown, error: Error): void {
    this.#exchange.fail(error)
  }
}

function bodyOf(body: WireRequest['body']): Dispatcher.DispatchOptions['body'] {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  return Readable.from(body.open(), { objectMode: false })
}

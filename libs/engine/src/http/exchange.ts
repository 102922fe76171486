import { performance } from 'node:perf_hooks'
import type { AbortSlot } from './abort-slots.ts'
import { BodyBuffer } from './body-buffer.ts'
import { WheelEntry } from './deadline-wheel.ts'
import { ExchangeError, toFailure } from './failure.ts'
import type { Line } from './line.ts'
import type { ResponseSink } from './response-parser.ts'
import type { Answer, Failure, WireRequest } from './transport.ts'
import { estimatedBytesIn, estimatedBytesOut } from './wire-size.ts'

/** Who can end what is under way. */
export interface Controller {
  abort(reason: Error): void
}

/** Who watches the exchange's deadlines. */
export interface Clock {
  move(exchange: Exchange, deadline: number): void
  remove(exchange: Exchange): void
}

/** Largest part of a rejected body that is kept for the failure's sample. */
const sample = 4096

/** One request on its way: what its connection tells it is its life, what comes of it its answer. */
export class Exchange extends WheelEntry implements ResponseSink {
  readonly request: WireRequest
  readonly askedAt: number
  line: Line | undefined
  connectMicros = 0
  tlsMicros = 0
  /** Where an abort signal finds it. */
  slot: AbortSlot | undefined
  readonly #clock: Clock
  readonly #resolve: (answer: Answer) => void
  readonly #totalBy: number
  #controller: Controller | undefined
  #done = false
  #sentAt = 0
  #firstByteAt = 0
  #status = 0
  #statusText = ''
  #headers: Answer['headers'] = []
  readonly #body = new BodyBuffer()
  /** What the response says its body is long; 0 when it does not. */
  #expected = 0
  #length = 0

  constructor(request: WireRequest, askedAt: number, clock: Clock, resolve: (answer: Answer) => void) {
    super()
    this.request = request
    this.askedAt = askedAt
    this.#clock = clock
    this.#resolve = resolve
    this.#totalBy = askedAt + request.timeouts.total
  }

  get isDone(): boolean {
    return this.#done
  }

  get totalBy(): number {
    return this.#totalBy
  }

  /** It is handed to a connection that stands. */
  sent(controller: Controller): void {
    this.#controller = controller
    this.#sentAt = performance.now()
    this.#wait(this.#sentAt + this.request.timeouts.headers)
  }

  began(): void {
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now()
  }

  head(status: number, text: string, headers: Answer['headers'], length: number | undefined): void {
    if (this.#done) return
    this.began()
    this.#status = status
    this.#statusText = text
    this.#headers = headers
    this.#wait(performance.now() + this.request.timeouts.body)
    if (length === undefined || this.request.discardBody) return
    // A body that announces itself as too large need not be begun.
    if (length > this.request.maxBody) this.#refuseBody(String(length))
    else this.#expected = length
  }

  piece(bytes: Uint8Array, isLent: boolean): void {
    if (this.#done) return
    this.#length += bytes.length
    if (!this.request.discardBody) {
      if (this.#length > this.request.maxBody) {
        // Room for one more piece is not made: what came before says enough, unless nothing did.
        if (this.#length === bytes.length) this.#body.append(bytes, 0, isLent)
        this.#refuseBody('more')
        return
      }
      this.#body.append(bytes, this.#expected, isLent)
    }
    if (this.request.timeouts.body !== Number.POSITIVE_INFINITY)
      this.#wait(performance.now() + this.request.timeouts.body)
  }

  end(): void {
    this.#finish(undefined)
  }

  fail(error: unknown): void {
    this.#finish(toFailure(error, 'exchange'))
  }

  /** The wheel has found it due. Which limit it was follows from how far it had come. */
  expire(): void {
    const { timeouts } = this.request
    if (this.deadline >= this.#totalBy) {
      const came = this.#status === 0 ? (this.#sentAt === 0 ? 'unsent' : 'sent, without a response') : 'in the body'
      this.abort({ kind: 'timeout_total', message: `not complete within ${timeouts.total} ms: still ${came}` })
    } else if (this.#status === 0) {
      this.abort({ kind: 'timeout_headers', message: `no response within ${timeouts.headers} ms of sending` })
    } else {
      const got = `${this.#length} bytes of the body had come`
      this.abort({ kind: 'timeout_body', message: `the body stalled for ${timeouts.body} ms: ${got}` })
    }
  }

  /** Ends it from our side. */
  abort(failure: Failure): void {
    if (this.#done) return
    const controller = this.#controller
    this.#finish(failure)
    controller?.abort(new ExchangeError(failure.kind, failure.message))
  }

  #wait(deadline: number): void {
    this.#clock.move(this, Math.min(deadline, this.#totalBy))
  }

  #refuseBody(size: string): void {
    this.#body.cut(sample)
    const message = `the body is larger than maxBody: expected at most ${this.request.maxBody} bytes, got ${size}`
    this.abort({ kind: 'too_large', message })
  }

  #finish(failure: Failure | undefined): void {
    if (this.#done) return
    this.#done = true
    const endedAt = performance.now()
    this.#clock.remove(this)
    if (this.slot !== undefined) this.slot.current = undefined
    const { line, request } = this
    const wasStarted = this.#controller !== undefined
    this.#controller = undefined
    let [bytesIn, bytesOut] = [0, 0]
    if (wasStarted && line !== undefined) {
      const { tcp } = line
      if (line.isShared || tcp === undefined) {
        bytesIn = estimatedBytesIn(this.#status, this.#headers, this.#length)
        bytesOut = estimatedBytesOut(request)
      } else {
        bytesIn = tcp.bytesRead - line.countedIn
        bytesOut = tcp.bytesWritten - line.countedOut
        line.countedIn += bytesIn
        line.countedOut += bytesOut
      }
    }
    const reach = this.#status !== 0 ? 'answered' : wasStarted && bytesOut > 0 ? 'in-doubt' : 'unsent'
    const sentAt = this.#sentAt === 0 ? this.askedAt : this.#sentAt
    this.line = undefined
    if (wasStarted) line?.free(this, failure !== undefined)
    else line?.abandon(this)
    this.#resolve({
      failure,
      reach,
      status: this.#status,
      statusText: this.#statusText,
      headers: this.#headers,
      body: this.#body.bytes(),
      bodyLength: this.#length,
      sentAt,
      endedAt,
      connectMicros: this.connectMicros,
      tlsMicros: this.tlsMicros,
      firstByteMicros: this.#firstByteAt === 0 ? 0 : Math.round((this.#firstByteAt - sentAt) * 1000),
      bytesIn,
      bytesOut,
    })
  }
}

import type { HeaderSource } from '@onrush/context/headers'
import { type CallWatch, WatchedCall } from './call-watch.ts'
import { codes } from './codes.ts'
import {
  type Call,
  type CallListener,
  type CallMetadata,
  cancel,
  type GrpcChannel,
  headersOf,
  metadataOf,
} from './grpc-channel.ts'

export interface CallRequest {
  readonly path: string
  readonly metadata: CallMetadata
  readonly messages: readonly Buffer[]
  /** Unix milliseconds, told to the server; `Infinity` for none. */
  readonly deadline: number
  /** The instant at which a call without a deadline is ended from this side. */
  readonly until: number
  /** Messages kept at most. The rest is counted, and gone. */
  readonly keep: number
}

/** What came of a call. Instants are `performance.now()`. */
export interface CallEnd {
  readonly code: number
  readonly details: string
  readonly headers: HeaderSource
  readonly trailers: HeaderSource
  readonly messages: readonly Buffer[]
  /** Kept or not. */
  readonly received: number
  /** Whether anything of it was the server's: headers, a message or trailers. */
  readonly answered: boolean
  /** Our own limit ended it. */
  readonly expired: boolean
  readonly sentAt: number
  /** The first message; 0 when none came. */
  readonly firstAt: number
  readonly endedAt: number
  readonly bytesIn: number
  readonly bytesOut: number
}

/** Each message has a flag and its length before it. */
const frame = 5
const noHeaders: HeaderSource = []

/** Sends all messages, reads all answers, and resolves with what came of it; never rejects. */
export function makeCall(
  channel: GrpcChannel,
  request: CallRequest,
  signal: AbortSignal,
  watch: CallWatch,
): Promise<CallEnd> {
  return new Promise(resolve => new Underway(request, signal, watch, resolve).start(channel))
}

class Underway extends WatchedCall implements CallListener {
  readonly #request: CallRequest
  readonly #signal: AbortSignal
  readonly #watch: CallWatch
  readonly #resolve: (end: CallEnd) => void
  readonly #sentAt = performance.now()
  readonly #messages: Buffer[] = []
  #call: Call | undefined
  #headers = noHeaders
  #received = 0
  #firstAt = 0
  #bytesIn = 0
  #bytesOut = 0
  #next = 0
  #ended = false
  #expired = false

  constructor(request: CallRequest, signal: AbortSignal, watch: CallWatch, resolve: (end: CallEnd) => void) {
    super()
    this.#request = request
    this.#signal = signal
    this.#watch = watch
    this.#resolve = resolve
  }

  start(channel: GrpcChannel): void {
    const { path, metadata, deadline, until } = this.#request
    if (channel.isClosed) {
      // A session that was written off may still go on for a while.
      this.onReceiveStatus({ code: codes.cancelled, details: 'the run has ended', metadata: metadataOf([]) })
      return
    }
    const call = channel.start(path, metadata, deadline, this)
    this.#call = call
    this.#watch.begin(this, this.#signal, until)
    this.#send()
    call.startRead()
    if (this.#signal.aborted) this.interrupted()
  }

  interrupted(): void {
    if (this.#call !== undefined) cancel(this.#call, codes.cancelled, 'the run ended while this call was under way')
  }

  expired(): void {
    this.#expired = true
    if (this.#call !== undefined) cancel(this.#call, codes.deadlineExceeded, 'no end within the time limit')
  }

  onReceiveMetadata(metadata: CallMetadata): void {
    this.#headers = headersOf(metadata)
  }

  onReceiveMessage(message: Buffer): void {
    if (this.#received === 0) this.#firstAt = performance.now()
    this.#received++
    this.#bytesIn += message.length + frame
    if (this.#messages.length < this.#request.keep) this.#messages.push(message)
    this.#call?.startRead()
  }

  onReceiveStatus(status: { code: number; details: string; metadata: CallMetadata }): void {
    if (this.#ended) return
    this.#ended = true
    this.#watch.end(this, this.#signal)
    const trailers = headersOf(status.metadata)
    this.#resolve({
      code: status.code,
      details: status.details,
      headers: this.#headers,
      trailers,
      messages: this.#messages,
      received: this.#received,
      answered: this.#headers !== noHeaders || this.#received > 0 || Object.keys(trailers).length > 0,
      expired: this.#expired || (status.code === codes.deadlineExceeded && Date.now() >= this.#request.deadline),
      sentAt: this.#sentAt,
      firstAt: this.#firstAt,
      endedAt: performance.now(),
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
    })
  }

  /** One after the other, each when the one before is written: a long stream must not wait in memory. */
  readonly #send = (): void => {
    const { messages } = this.#request
    const message = messages[this.#next++]
    if (this.#ended) return
    if (message === undefined) {
      this.#call?.halfClose()
      return
    }
    this.#bytesOut += message.length + frame
    const isLast = this.#next >= messages.length
    this.#call?.sendMessageWithContext(isLast ? {} : { callback: this.#send }, message)
    if (isLast) this.#call?.halfClose()
  }
}

/** Not one message where one was due, or several where one was. */
export function countFault(end: CallEnd, serverStream: boolean): string | undefined {
  if (serverStream || end.code !== codes.ok || end.received === 1) return undefined
  return `expected one message, got ${end.received}`
}

import { ChunkedBody } from './chunked-body.ts'
import { malformed, parseHead, type ResponseHead } from './response-head.ts'

/** Whom a response is read for. */
export interface ResponseSink {
  /** Set when it wants no more of this response. */
  readonly isDone: boolean
  began(): void
  head(status: number, statusText: string, headers: ResponseHead['headers'], length: number | undefined): void
  /** What is lent will hold other bytes in the next turn. */
  piece(bytes: Uint8Array, isLent: boolean): void
}

/** Bytes of a head that are read at most: four times what Node's own server accepts. */
const longestHead = 65_536

const headEnd = Buffer.from('\r\n\r\n')
const beginning = 'HTTP/1.'
const bareLineEnd = /(?:^|[^\r])\n/

/** Reads the responses of one connection, one after the other, from pieces that are cut anywhere. */
export class ResponseParser {
  #state: 'head' | 'length' | 'chunked' | 'until-close' = 'head'
  #isBodyless = false
  /** The beginning of a head whose end has not come. */
  #partial: Buffer | undefined
  #left = 0
  #chunks: ChunkedBody | undefined
  #isKept = true
  #keptFor: number | undefined

  /** Whether the connection may be used again after this response. */
  get isKept(): boolean {
    return this.#isKept
  }

  /** Milliseconds that the server will keep the connection idle, where it has said so. */
  get keptFor(): number | undefined {
    return this.#keptFor
  }

  /** Before each response. One to HEAD has no body, whatever its head says. */
  begin(method: string): void {
    this.#state = 'head'
    this.#isBodyless = method === 'HEAD'
    this.#partial = undefined
    this.#chunks = undefined
  }

  /**
   * The index behind the response's last byte; -1 when more is to come, or the sink wants no more. Throws
   * `malformed_response`.
   */
  read(bytes: Buffer, sink: ResponseSink, isLent: boolean): number {
    if (this.#state !== 'head') return this.#readBody(bytes, 0, sink, isLent)
    sink.began()
    const before = this.#partial
    if (before === undefined) {
      const at = this.#readHead(bytes, sink)
      return at === -1 || sink.isDone ? -1 : this.#readBody(bytes, at, sink, isLent)
    }
    const whole = Buffer.concat([before, bytes])
    this.#partial = undefined
    const at = this.#readHead(whole, sink)
    if (at === -1 || sink.isDone) return -1
    const end = this.#readBody(whole, at, sink, false)
    return end === -1 ? -1 : end - before.length
  }

  /** The connection has ended: what did that do to the response? */
  end(): 'complete' | 'cut' | 'none' {
    if (this.#state === 'until-close') return 'complete'
    return this.#state === 'head' && this.#partial === undefined ? 'none' : 'cut'
  }

  /** The index behind the head; -1 when it goes on. */
  #readHead(bytes: Buffer, sink: ResponseSink): number {
    for (let from = 0; ; ) {
      const end = bytes.indexOf(headEnd, from)
      if (end === -1) {
        this.#keep(bytes, from)
        return -1
      }
      const head = parseHead(bytes.toString('latin1', from, end))
      from = end + headEnd.length
      if (head.status === 101) throw malformed('the server changes to another protocol, which nobody asked for')
      // An interim response says only that the real one is coming.
      if (head.status < 200) continue
      this.#enter(head)
      sink.head(head.status, head.statusText, head.headers, typeof head.framing === 'number' ? head.framing : undefined)
      return from
    }
  }

  /** Something else than HTTP, or an end without bound, is not waited for. */
  #keep(bytes: Buffer, from: number): void {
    const begun = bytes.toString('latin1', from)
    const isHttp = begun.startsWith(beginning.slice(0, begun.length))
    if (!isHttp)
      throw malformed(`expected a status line like "HTTP/1.1 200 OK", got ${JSON.stringify(begun.slice(0, 100))}`)
    if (begun.length > longestHead) throw malformed(`expected at most ${longestHead} bytes as a head, and it goes on`)
    if (bareLineEnd.test(begun)) throw malformed('expected CRLF at the end of a line of the head, got LF alone')
    if (begun !== '') this.#partial = Buffer.from(bytes.subarray(from))
  }

  #enter({ status, framing, isKept, keptFor }: ResponseHead): void {
    this.#isKept = isKept
    this.#keptFor = keptFor
    this.#left = 0
    if (this.#isBodyless || status === 204 || status === 304) this.#state = 'length'
    else if (framing === 'chunked') this.#state = 'chunked'
    else if (framing === 'until-close') this.#state = 'until-close'
    else {
      this.#state = 'length'
      this.#left = framing
    }
  }

  #readBody(bytes: Buffer, at: number, sink: ResponseSink, isLent: boolean): number {
    if (this.#state === 'length') {
      const end = Math.min(bytes.length, at + this.#left)
      this.#left -= end - at
      if (end > at) sink.piece(bytes.subarray(at, end), isLent)
      return this.#left > 0 || sink.isDone ? -1 : end
    }
    if (this.#state === 'chunked') {
      this.#chunks ??= new ChunkedBody()
      return this.#chunks.read(bytes, at, data => {
        sink.piece(data, isLent)
        return !sink.isDone
      })
    }
    if (at < bytes.length) sink.piece(bytes.subarray(at), isLent)
    return -1
  }
}

import { ChunkedBody } from './chunked-body.ts'
import { malformed, parseHead, type ResponseHead } from './response-head.ts'

/** Whom a response is read for. */
export interface ResponseSink {
  /** Set when it wants no more of this response. */
  readonly isDone: boolean
  began(): void
  /** `length` is how long the body will be, where that is known: 0 where there is none, whatever the head says. */
  head(status: number, statusText: string, headers: ResponseHead['headers'], length: number | undefined): void
  /** What is lent will hold other bytes in the next turn. */
  piece(bytes: Uint8Array, isLent: boolean): void
}

/** Bytes of a head that are read at most: four times what Node's own server accepts. */
const longestHead = 65_536

const headEnd = '\r\n\r\n'
const headEndBytes = Buffer.from(headEnd)
const beginning = 'HTTP/1.'
const bareLineEnd = /[^\r]\n/

/** Reads the responses of one connection, one after the other, from pieces that are cut anywhere. */
export class ResponseParser {
  #state: 'head' | 'length' | 'chunked' | 'until-close' = 'head'
  #isBodyless = false
  /** The beginning of a head whose end has not come. */
  #begun = ''
  /** Its last characters: a look into `#begun` would join it together anew for each byte that drips in. */
  #tail = ''
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
    this.#begun = ''
    this.#tail = ''
    this.#chunks = undefined
  }

  /**
   * The index behind the response's last byte; -1 when more is to come, or the sink wants no more. Throws
   * `malformed_response`.
   */
  read(bytes: Buffer, sink: ResponseSink, isLent: boolean): number {
    if (this.#state !== 'head') return this.#readBody(bytes, 0, sink, isLent)
    sink.began()
    const at = this.#readHead(bytes, sink)
    return at === -1 || sink.isDone ? -1 : this.#readBody(bytes, at, sink, isLent)
  }

  /** The connection has ended: what did that do to the response? */
  end(): 'complete' | 'cut' | 'none' {
    if (this.#state === 'until-close') return 'complete'
    return this.#state === 'head' && this.#begun === '' ? 'none' : 'cut'
  }

  /** The index behind the head; -1 when it goes on. */
  #readHead(bytes: Buffer, sink: ResponseSink): number {
    for (let from = 0; ; ) {
      const end = this.#endOfHead(bytes, from)
      if (end === -1) {
        this.#keep(bytes.toString('latin1', from))
        return -1
      }
      const head = parseHead(this.#takeHead(bytes, from, end))
      from = end
      if (head.status === 101) throw malformed('the server changes to another protocol, which nobody asked for')
      // An interim response says only that the real one is coming.
      if (head.status < 200) continue
      this.#enter(head)
      sink.head(head.status, head.statusText, head.headers, this.#state === 'length' ? this.#left : undefined)
      return from
    }
  }

  /** The index behind the empty line that ends a head, and may have begun in an earlier piece; -1 when it has not come. */
  #endOfHead(bytes: Buffer, from: number): number {
    if (this.#tail !== '') {
      const seam = this.#tail + bytes.toString('latin1', from, from + headEnd.length - 1)
      const at = seam.indexOf(headEnd)
      if (at !== -1) return from + at + headEnd.length - this.#tail.length
    }
    const at = bytes.indexOf(headEndBytes, from)
    return at === -1 ? -1 : at + headEnd.length
  }

  /** All of a head, without the empty line. */
  #takeHead(bytes: Buffer, from: number, end: number): string {
    if (this.#begun === '') return bytes.toString('latin1', from, end - headEnd.length)
    const whole = this.#begun + bytes.toString('latin1', from, end)
    this.#begun = ''
    this.#tail = ''
    return whole.slice(0, -headEnd.length)
  }

  /** Something else than HTTP, or an end without bound, is not waited for. */
  #keep(text: string): void {
    if (this.#begun.length < beginning.length) {
      const begun = this.#begun + text
      if (!begun.startsWith(beginning.slice(0, begun.length)))
        throw malformed(`expected a status line like "HTTP/1.1 200 OK", got ${JSON.stringify(begun.slice(0, 100))}`)
    }
    const end = this.#tail + text
    if (bareLineEnd.test(end)) throw malformed('expected CRLF at the end of a line of the head, got LF alone')
    this.#begun += text
    if (this.#begun.length > longestHead)
      throw malformed(`expected at most ${longestHead} bytes as a head, and it goes on`)
    this.#tail = end.slice(1 - headEnd.length)
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

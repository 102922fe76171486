import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Exchange } from './exchange.ts'
import { ExchangeError } from './failure.ts'
import { Line } from './line.ts'
import { requestHead } from './request-head.ts'
import { ResponseParser } from './response-parser.ts'
import type { BodySource, WireRequest } from './transport.ts'

/**
 * How long an idle connection is kept when the server does not say: a user's pause must not cost a new connection. A
 * server that closes earlier is noticed when it does.
 */
const keepIdleMs = 60_000

/** A server that closes an idle connection does so while our request may be on its way; so we stop using it before. */
const marginMs = 1000

/**
 * What a plain socket reads goes here, whichever socket of this thread it is: libuv reads, and we take what was read,
 * within one callback. Memory for each read would cost more than what is read.
 */
const readInto = Buffer.allocUnsafeSlow(65_536)

/** A body up to this long is copied once more to be written together with its head, which costs less than two writes. */
const mostInOne = 65_536

/** HTTP/1.1 over one connection, one exchange at a time: the hot path of most runs. */
export class Http1Line extends Line {
  readonly #parser = new ResponseParser()
  #socket: Socket | undefined
  /** On the wire, its response not complete. */
  #current: Exchange | undefined
  #isLast = false
  /** Bytes of its body that have yet to be read from where they come from. */
  #unread = 0
  #idleUntil = Number.POSITIVE_INFINITY

  override get idleUntil(): number {
    return this.#idleUntil
  }

  /** As the controller of what is under way. */
  abort(): void {
    this.destroy()
  }

  protected speak(exchange: Exchange): void {
    if (this.#socket !== undefined) {
      this.#write(this.#socket, exchange)
      return
    }
    const onread = {
      buffer: readInto,
      callback: (length: number) => {
        this.#read(readInto.subarray(0, length), true)
        return true
      },
    }
    this.dial(onread, (error, dialled) => {
      if (dialled === undefined) {
        exchange.fail(error ?? new Error('no connection'))
        return
      }
      const { socket, isRead } = dialled
      this.#socket = socket
      if (!isRead) socket.on('data', (bytes: Buffer) => this.#read(bytes, false))
      socket.on('end', () => this.#end())
      socket.on('error', error => this.#break(error))
      socket.on('close', () => this.#end())
      this.#write(socket, exchange)
    })
  }

  protected hangUp(): void {
    this.#current = undefined
    this.#socket?.destroy()
    // Whoever hangs up has ended the exchange before; or it would wait for ever.
    this.latest?.fail(new ExchangeError('interrupted', 'its connection was closed while this request was under way'))
  }

  #write(socket: Socket, exchange: Exchange): void {
    const { request } = exchange
    const { forward, authority } = this.settings
    const { body } = request
    const length = lengthOf(body)
    let head: ReturnType<typeof requestHead>
    try {
      head = requestHead(
        request.method,
        forward === undefined ? request.path : request.origin + request.path,
        authority,
        forward?.authorization === undefined
          ? request.headers
          : [...request.headers, 'proxy-authorization', forward.authorization],
        length,
      )
    } catch (error) {
      exchange.fail(error)
      return
    }
    this.#current = exchange
    this.#isLast = head.isLast
    this.#parser.begin(request.method)
    exchange.sent(this)
    if (body === undefined) {
      socket.write(head.text, 'latin1')
      return
    }
    // As many bytes as characters are ASCII, which is head and body in one text.
    if (typeof body === 'string' && body.length === length && length <= mostInOne) {
      socket.write(head.text + body, 'latin1')
      return
    }
    // One packet for both, where they fit into it.
    socket.cork()
    socket.write(head.text, 'latin1')
    if (typeof body === 'string') socket.write(body, 'utf8')
    else if (body instanceof Uint8Array) socket.write(body)
    else void this.#pump(socket, exchange, body)
    socket.uncork()
  }

  /** Sends a body piece by piece, no faster than the other side takes it. */
  async #pump(socket: Socket, exchange: Exchange, source: BodySource): Promise<void> {
    this.#unread = source.length
    try {
      for await (const piece of source.open()) {
        if (this.#current !== exchange) return
        this.#unread -= piece.length
        if (this.#unread < 0) throw wrongLength(source.length, 'more')
        if (!socket.write(piece)) await drained(socket)
      }
      if (this.#current !== exchange) return
      if (this.#unread > 0) throw wrongLength(source.length, String(source.length - this.#unread))
    } catch (error) {
      if (this.#current === exchange) this.#break(error)
    }
  }

  #read(bytes: Buffer, isLent: boolean): void {
    const exchange = this.#current
    if (exchange === undefined) {
      // Bytes that nobody asked for. They would be taken for the next request's answer.
      this.destroy()
      return
    }
    let at: number
    try {
      at = this.#parser.read(bytes, exchange, isLent)
    } catch (error) {
      this.#break(error)
      return
    }
    if (at !== -1) this.#complete(exchange, this.#parser.isKept && at === bytes.length)
  }

  #complete(exchange: Exchange, isKept: boolean): void {
    // A response that is complete before its request is: what is left of that would stand before the next one, or be
    // taken for it.
    const isUnsent = this.#unread > 0 || this.#socket?.writableNeedDrain === true
    this.#current = undefined
    this.isBroken ||= !isKept || this.#isLast || isUnsent
    this.#idleUntil = performance.now() + Math.max(0, (this.#parser.keptFor ?? keepIdleMs) - marginMs)
    exchange.end()
    if (this.isBroken) this.destroy()
  }

  /** The other side sends no more. */
  #end(): void {
    const exchange = this.#current
    this.isBroken = true
    if (exchange === undefined) return
    const how = this.#parser.end()
    if (how === 'complete') {
      this.#complete(exchange, false)
      return
    }
    const where = how === 'none' ? 'before it answered' : 'in the middle of its answer'
    this.#break(new ExchangeError('reset', `the other side closed the connection ${where}`))
  }

  #break(error: unknown): void {
    this.#current?.fail(error)
    this.destroy()
  }
}

function lengthOf(body: WireRequest['body']): number | undefined {
  if (body === undefined) return undefined
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length
}

const wrongLength = (announced: number, got: string): ExchangeError =>
  new ExchangeError(
    'render',
    `the body is of another length than was announced: expected ${announced} bytes, got ${got}`,
  )

/** Settles when there is room again, or nobody to send to. */
function drained(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    if (socket.destroyed) resolve()
    else socket.on('drain', done).on('close', done)
  })
}

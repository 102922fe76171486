import { malformed } from './response-head.ts'

/** Bytes of a size's line and of all trailers together that are read at most. */
const longestLine = 16_384

const lf = 0x0a
const cr = 0x0d

/**
 * The frame around a body in chunks: `size CRLF data CRLF`, in pieces cut anywhere. `read` gives the data to `take` as
 * views of what it was given, and says where the body's end was found.
 */
export class ChunkedBody {
  #state: 'size' | 'data' | 'data-end' | 'trailer' = 'size'
  /** A line that began in an earlier piece. */
  #line = ''
  #left = 0
  #trailers = 0

  /** The index behind the last byte of the body; -1 when it goes on. `take` answers whether to go on. */
  read(bytes: Buffer, from: number, take: (data: Buffer) => boolean): number {
    let at = from
    while (at < bytes.length) {
      if (this.#state === 'data') {
        const end = Math.min(bytes.length, at + this.#left)
        this.#left -= end - at
        if (this.#left === 0) this.#state = 'data-end'
        if (!take(bytes.subarray(at, end))) return -1
        at = end
        continue
      }
      const end = bytes.indexOf(lf, at)
      const until = end === -1 ? bytes.length : end
      if (this.#line.length + until - at > longestLine) throw malformed('a line of a chunked body without an end')
      this.#line += bytes.toString('latin1', at, until)
      if (end === -1) return -1
      at = end + 1
      if (this.#line.charCodeAt(this.#line.length - 1) !== cr)
        throw malformed('a line of a chunked body without its end')
      const line = this.#line.slice(0, -1)
      this.#line = ''
      if (this.#endOfLine(line)) return at
    }
    return -1
  }

  /** Whether it was the body's last. */
  #endOfLine(line: string): boolean {
    switch (this.#state) {
      case 'size': {
        // What follows a semicolon are extensions, which nobody uses.
        const size = /^([\da-f]{1,13})[ \t]*(?:;.*)?$/i.exec(line)?.[1]
        if (size === undefined) throw malformed(`expected a chunk's size, got ${JSON.stringify(line.slice(0, 100))}`)
        this.#left = Number.parseInt(size, 16)
        this.#state = this.#left === 0 ? 'trailer' : 'data'
        return false
      }
      case 'data-end':
        if (line !== '') throw malformed('a chunk that is longer than its size')
        this.#state = 'size'
        return false
      default:
        if (line === '') return true
        this.#trailers += line.length
        if (this.#trailers > longestLine) throw malformed('trailers without an end')
        return false
    }
  }
}

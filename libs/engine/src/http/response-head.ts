import { ExchangeError } from './failure.ts'

/** How the end of a body is known: by its length in bytes, by its chunks, or by the end of the connection. */
export type Framing = number | 'chunked' | 'until-close'

export interface ResponseHead {
  readonly status: number
  readonly statusText: string
  /** By lower-case name; a field that came several times is a list. */
  readonly headers: Record<string, string | string[]>
  /** What the fields say. That a HEAD, a 204 or a 304 has no body whatever they say is the reader's to know. */
  readonly framing: Framing
  /** Whether the connection may be used again, as far as the fields say. */
  readonly isKept: boolean
  /** Milliseconds that the server keeps an idle connection, where it says so. */
  readonly keptFor: number | undefined
}

/** `HTTP/1.1 200 OK`; the text may be missing, and its blank too. */
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: (.*))?$/

/** Controls, of which only a tab may stand in a value, and line ends that are half of one. */
const stray = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|[^\r]\n/

const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/

// The same few names come with each response. A server that makes names up must not fill the memory.
const known = new Map<string, string>()
const mostKnown = 1000

/**
 * Reads a head: what stands before the empty line, as latin1, without the line end before it. What RFC 9112 forbids is
 * an error and never guessed at: a length that two readers understand differently is how responses are smuggled.
 */
export function parseHead(text: string): ResponseHead {
  if (stray.test(text)) throw malformed('a control character in the head')
  let at = text.indexOf('\r\n')
  if (at === -1) at = text.length
  const first = statusLine.exec(text.slice(0, at))
  if (first === null) throw malformed(`expected a status line like "HTTP/1.1 200 OK", got ${shown(text.slice(0, at))}`)

  const headers: Record<string, string | string[]> = {}
  const isOld = first[1] === '0'
  let encoding: string | undefined
  let length: string | undefined
  let isKept = !isOld
  let isClosed = false
  let keptFor: number | undefined
  while (at < text.length) {
    at += 2
    let end = text.indexOf('\r\n', at)
    if (end === -1) end = text.length
    const colon = text.indexOf(':', at)
    const name = colon === -1 || colon > end ? undefined : lowerName(text.slice(at, colon))
    if (name === undefined) {
      // A field over two lines: what no server may send any more, and every client has to read as one line.
      if (isBlank(text.charCodeAt(at)) && at > first[0].length + 2) return parseHead(text.replace(/\r\n[\t ]+/g, ' '))
      throw malformed(`expected a header field like "name: value", got ${shown(text.slice(at, end))}`)
    }
    const value = trimmed(text, colon + 1, end)
    add(headers, name, value)
    at = end
    switch (name) {
      case 'content-length':
        if (!/^\d{1,15}$/.test(value)) throw malformed(`expected a number as content-length, got ${shown(value)}`)
        if (length !== undefined && length !== value) throw malformed('two values of content-length')
        length = value
        break
      case 'transfer-encoding':
        encoding = encoding === undefined ? value : `${encoding}, ${value}`
        break
      case 'connection':
        if (/\bclose\b/i.test(value)) isClosed = true
        else if (/\bkeep-alive\b/i.test(value)) isKept = true
        break
      case 'keep-alive': {
        const seconds = /\btimeout=(\d{1,7})\b/i.exec(value)?.[1]
        if (seconds !== undefined) keptFor = Number(seconds) * 1000
        break
      }
    }
  }
  if (encoding !== undefined && length !== undefined) throw malformed('content-length beside transfer-encoding')
  // A server that does not know of encodings has passed on what it did not understand: it is the last on its connection.
  if (isClosed || (isOld && encoding !== undefined)) isKept = false
  const framing = encoding !== undefined ? framedBy(encoding) : length === undefined ? 'until-close' : Number(length)
  return { status: Number(first[2]), statusText: first[3] ?? '', headers, framing, isKept, keptFor }
}

/** Chunked comes last, or the body ends with the connection. */
function framedBy(encoding: string): Framing {
  if (encoding === 'chunked') return 'chunked'
  const names = encoding.toLowerCase().split(/[ \t]*,[ \t]*/)
  const at = names.indexOf('chunked')
  if (at !== names.lastIndexOf('chunked')) throw malformed(`expected chunks in no chunks, got ${shown(encoding)}`)
  return at !== -1 && at === names.length - 1 ? 'chunked' : 'until-close'
}

export const malformed = (message: string): ExchangeError => new ExchangeError('malformed_response', message)

/** `undefined` where it is no name. */
function lowerName(name: string): string | undefined {
  const found = known.get(name)
  if (found !== undefined) return found
  if (!token.test(name)) return undefined
  const lower = name.toLowerCase()
  // A part of a text keeps all of it in memory, so it is a copy that is kept.
  if (known.size < mostKnown) known.set(copied(name), copied(lower))
  return lower
}

function add(headers: Record<string, string | string[]>, name: string, value: string): void {
  const before = Object.hasOwn(headers, name) ? headers[name] : undefined
  if (before === undefined) {
    // An assignment would set the prototype instead.
    if (name === '__proto__') Object.defineProperty(headers, name, { value, enumerable: true, configurable: true })
    else headers[name] = value
  } else if (typeof before === 'string') headers[name] = [before, value]
  else before.push(value)
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

function trimmed(text: string, from: number, to: number): string {
  let [start, end] = [from, to]
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const copied = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

const shown = (text: string): string => JSON.stringify(text.slice(0, 100))

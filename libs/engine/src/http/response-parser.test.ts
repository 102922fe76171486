import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ExchangeError } from './failure.ts'
import { ResponseParser } from './response-parser.ts'

/** What a sink was told, as one value. */
interface Told {
  status: number
  text: string
  headers: Record<string, string | string[]>
  length: number | undefined
  body: string
  /** Index behind the last byte, in all that was given; `undefined` while it goes on. */
  end: number | undefined
  isKept: boolean
  keptFor: number | undefined
}

/** Reads a response that comes in these pieces. Lent ones are overwritten at once, as the next read would. */
function readPieces(pieces: readonly Buffer[], method = 'GET', isLent = true): Told {
  const parser = new ResponseParser()
  parser.begin(method)
  const told: Told = {
    status: 0,
    text: '',
    headers: {},
    length: undefined,
    body: '',
    end: undefined,
    isKept: false,
    keptFor: undefined,
  }
  const sink = {
    isDone: false,
    began() {},
    head(status: number, text: string, headers: Told['headers'], length: number | undefined) {
      Object.assign(told, { status, text, headers, length })
    },
    piece(bytes: Uint8Array) {
      told.body += Buffer.from(bytes).toString('latin1')
    },
  }
  let before = 0
  for (const piece of pieces) {
    const lent = Buffer.from(piece)
    const at = parser.read(lent, sink, isLent)
    if (at !== -1) {
      told.end = before + at
      break
    }
    lent.fill(0)
    before += piece.length
  }
  return { ...told, isKept: parser.isKept, keptFor: parser.keptFor }
}

const read = (text: string, method = 'GET') => readPieces([Buffer.from(text, 'latin1')], method)

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set(cuts.map(each => each % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...at, bytes.length]
    .map((end, i) => bytes.subarray(i === 0 ? 0 : at[i - 1], end))
    .filter(each => each.length > 0)
}

const name = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/)
  .filter(each => !/^(content-length|transfer-encoding|connection|keep-alive)$/i.test(each))
const value = fc.stringMatching(/^[\x21-\x7e\x80-\xff]([\t\x20-\x7e\x80-\xff]{0,40}[\x21-\x7e\x80-\xff])?$/)
const latin1 = fc.uint8Array({ maxLength: 400 }).map(bytes => Buffer.from(bytes).toString('latin1'))
const statuses = fc.integer({ min: 200, max: 999 }).filter(each => each !== 204 && each !== 304)

/** A response as a server may write it, and what it says. */
const responses = fc
  .record({
    status: statuses,
    text: fc.constantFrom('', 'OK', 'Not Found', 'Très bien'),
    fields: fc.array(fc.tuple(name, value), { maxLength: 8 }),
    blanks: fc.constantFrom('', ' ', ' \t '),
    body: latin1,
    sizes: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
    interim: fc.constantFrom('', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    isChunked: fc.boolean(),
  })
  .map(({ status, text, fields, blanks, body, sizes, interim, isChunked }) => {
    const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body, 'latin1')}`
    const lines = [...fields.map(([name, value]) => `${name}:${blanks}${value}${blanks}`), framing]
    const head = `HTTP/1.1 ${status}${text === '' ? '' : ` ${text}`}\r\n${lines.join('\r\n')}\r\n\r\n`
    const bytes = Buffer.from(interim + head + (isChunked ? chunked(body, sizes) : body), 'latin1')
    return { status, text, fields, body, bytes }
  })

function chunked(body: string, sizes: readonly number[]): string {
  let text = ''
  let at = 0
  for (const size of sizes) {
    const data = body.slice(at, at + size)
    if (data === '') break
    text += `${data.length.toString(16)};a=b\r\n${data}\r\n`
    at += data.length
  }
  const rest = body.slice(at)
  return `${text}${rest === '' ? '' : `${rest.length.toString(16).toUpperCase()}\r\n${rest}\r\n`}0\r\nx-sum: 1\r\n\r\n`
}

describe('a response', () => {
  test('says the same wherever it is cut, and what comes behind it is not its own', () => {
    fc.assert(
      fc.property(responses, fc.array(fc.nat(), { maxLength: 12 }), latin1, ({ bytes, ...said }, cuts, behind) => {
        const all = Buffer.concat([bytes, Buffer.from(behind, 'latin1')])
        const told = readPieces(cut(all, cuts))
        expect(told).toMatchObject({ status: said.status, text: said.text, body: said.body, end: bytes.length })
        expect(told).toEqual(readPieces([all]))
        for (const [name, value] of said.fields) expect([told.headers[name.toLowerCase()]].flat()).toContain(value)
      }),
      { numRuns: 500 },
    )
  })

  test('byte by byte, owned or lent', () => {
    const bytes = Buffer.from('HTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n')
    const each = [...bytes].map(byte => Buffer.from([byte]))
    for (const isLent of [true, false])
      expect(readPieces(each, 'GET', isLent)).toMatchObject({ body: 'abc', end: bytes.length, headers: { a: 'b' } })
  })

  test('random bytes are read or refused, and nothing else', () => {
    const beginnings = fc.constantFrom(
      '',
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
    )
    fc.assert(
      fc.property(beginnings, latin1, fc.array(fc.nat(), { maxLength: 5 }), (beginning, rest, cuts) => {
        try {
          readPieces(cut(Buffer.from(beginning + rest, 'latin1'), cuts))
        } catch (error) {
          expect(error).toBeInstanceOf(ExchangeError)
          expect((error as ExchangeError).failure.kind).toBe('malformed_response')
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['to HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'],
    ['204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['304', 'GET', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n'],
    ['of length 0', 'GET', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ])('%s has no body', (_, method, text) => {
    expect(read(text, method)).toMatchObject({ body: '', end: text.length })
  })

  test('without a length goes on until the connection ends', () => {
    expect(read('HTTP/1.1 200 OK\r\n\r\nall').end).toBeUndefined()
    expect(read('HTTP/1.0 200 OK\r\ntransfer-encoding: gzip\r\n\r\nall')).toMatchObject({ body: 'all', end: undefined })
  })

  test.each([
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', true, undefined],
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: Close\r\n\r\n', false, undefined],
    ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', false, undefined],
    [
      'HTTP/1.0 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\nkeep-alive: timeout=5, max=9\r\n\r\n',
      true,
      5000,
    ],
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\nconnection: keep-alive\r\n\r\n', false, undefined],
    ['HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', false, undefined],
  ])('%j says how long its connection is kept', (text, isKept, keptFor) => {
    expect(read(text)).toMatchObject({ isKept, keptFor })
  })

  test.each([
    ['chunked', '2\r\nhi\r\n0\r\n\r\n', 'hi'],
    ['Chunked', '2\r\nhi\r\n0\r\n\r\n', 'hi'],
    ['gzip, chunked', '2\r\nhi\r\n0\r\n\r\n', 'hi'],
    ['gzip\r\nTransfer-Encoding: chunked', '2\r\nhi\r\n0\r\n\r\n', 'hi'],
    ['chunked, gzip', '2\r\nhi', '2\r\nhi'],
    ['x chunked', '2\r\nhi', '2\r\nhi'],
    ['xchunked', '2\r\nhi', '2\r\nhi'],
  ])('in transfer-encoding %j is read by its last', (encoding, sent, body) => {
    const { body: got, end } = read(`HTTP/1.1 200 OK\r\nTransfer-Encoding: ${encoding}\r\n\r\n${sent}`)
    expect(got).toBe(body)
    expect(end !== undefined).toBe(body === 'hi')
  })

  test('has fields over several lines as if they stood on one', () => {
    const text = 'HTTP/1.1 200 OK\r\na: b\r\n\t c\r\n d: e\r\nContent-Length:\r\n 2\r\n\r\nhi'
    expect(read(text)).toMatchObject({
      headers: { a: 'b c d: e', 'content-length': '2' },
      body: 'hi',
      end: text.length,
    })
  })

  test('without a body is not as long as its head says', () => {
    expect(read('HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n').length).toBe(0)
    expect(read('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n', 'HEAD').length).toBe(0)
    expect(read('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n').length).toBe(5)
  })

  test('fields that come twice are a list; names that belong to every object are names', () => {
    const { headers } = read(
      'HTTP/1.1 200\r\nSet-Cookie: a\r\nset-cookie: b\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 0\r\n\r\n',
    )
    expect(headers['set-cookie']).toEqual(['a', 'b'])
    expect(Object.getOwnPropertyDescriptor(headers, '__proto__')?.value).toBe('x')
    expect(Object.hasOwn(headers, 'constructor')).toBe(true)
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
  })
})

describe('what is refused', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'status line'],
    ['a version that we do not speak', 'HTTP/2 200 OK\r\n\r\n', 'status line'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'status line'],
    ['a line end that is half of one', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n', 'LF alone'],
    ['a line end in a value', 'HTTP/1.1 200 OK\r\na: b\nc: d\r\n\r\n', 'control character'],
    ['a zero byte', 'HTTP/1.1 200 OK\r\na: \0\r\n\r\n', 'control character'],
    ['a field without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', 'header field'],
    ['a name with a blank', 'HTTP/1.1 200 OK\r\na : b\r\n\r\n', 'header field'],
    ['a field that begins before the first', 'HTTP/1.1 200 OK\r\n a: b\r\nc: d\r\n e\r\n\r\n', 'header field'],
    ['chunks in chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked, Chunked\r\n\r\n', 'chunks'],
    [
      'chunks in chunks, said twice',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n',
      'chunks',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 'two values'],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n', 'content-length'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n', 'beside'],
    ['a chunk longer than it says', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n', 'longer'],
    ['a chunk of a huge size', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n`, 'size'],
    [
      'a size without end',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}`,
      'without an end',
    ],
    [
      'trailers without end',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${'a: bcd\r\n'.repeat(4000)}`,
      'trailers',
    ],
    ['a protocol that nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n', 'another protocol'],
  ])('%s', (_, text, message) => {
    expect(() => read(text)).toThrow(message)
    expect(() => readPieces([...Buffer.from(text, 'latin1')].map(byte => Buffer.from([byte])))).toThrow(ExchangeError)
  })
})

test('how a connection that ends leaves a response', () => {
  const after = (text: string) => {
    const parser = new ResponseParser()
    parser.begin('GET')
    if (text !== '') parser.read(Buffer.from(text), { isDone: false, began() {}, head() {}, piece() {} }, false)
    return parser.end()
  }
  expect(after('')).toBe('none')
  expect(after('HTTP/1.1 20')).toBe('cut')
  expect(after('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\na')).toBe('cut')
  expect(after('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')).toBe('cut')
  expect(after('HTTP/1.1 200 OK\r\n\r\na')).toBe('complete')
})

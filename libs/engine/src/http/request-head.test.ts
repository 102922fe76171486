import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestHead } from './request-head.ts'

test('what a request needs is there, and what it says itself is not said twice', () => {
  expect(requestHead('GET', '/a?b=c', 'x.test:81', ['x-a', 'b'], undefined).text).toBe(
    'GET /a?b=c HTTP/1.1\r\nhost: x.test:81\r\nconnection: keep-alive\r\nx-a: b\r\n\r\n',
  )
  const own = requestHead('POST', '/', 'x.test', ['Host', 'y.test', 'Connection', 'close'], 3)
  expect(own).toEqual({
    text: 'POST / HTTP/1.1\r\nHost: y.test\r\nConnection: close\r\ncontent-length: 3\r\n\r\n',
    isLast: true,
  })
})

test('a close is not taken back by another field', () => {
  expect(requestHead('GET', '/', 'x', ['connection', 'close', 'Connection', 'x-a'], undefined).isLast).toBe(true)
})

test.each([
  ['POST', undefined, true],
  ['PUT', undefined, true],
  ['PATCH', undefined, true],
  ['GET', undefined, false],
  ['DELETE', undefined, false],
  ['DELETE', 0, true],
])('%s with a body of %s says its length: %s', (method, length, says) => {
  expect(requestHead(method, '/', 'x', [], length).text.includes('content-length: ')).toBe(says)
})

test.each([
  ['a line break in a value', 'GET', '/', ['a', 'b\r\nx: y'], 'the header "a"'],
  ['half a line break in a value', 'GET', '/', ['a', 'b\nx: y'], 'the header "a"'],
  ['a character beyond latin1', 'GET', '/', ['a', '€'], 'the header "a"'],
  ['a colon in a name', 'GET', '/', ['a: b', 'c'], 'the header "a: b"'],
  ['no name', 'GET', '/', ['', 'c'], 'the header ""'],
  ['a blank in the path', 'GET', '/a HTTP/1.1\r\nx: y', [], 'the path'],
  ['a blank in the method', 'GET /', '/', [], 'the method'],
])('%s is refused before the wire', (_, method, path, headers, message) => {
  expect(() => requestHead(method, path, 'x', headers, undefined)).toThrow(message)
})

const text = fc.string({
  unit: fc.integer({ min: 0, max: 0x120 }).map(code => String.fromCharCode(code)),
  maxLength: 6,
})

test('whatever is not refused is read by a server as what it was', async () => {
  await using server = createServer((request, response) => {
    response.end(JSON.stringify([request.method, request.url, request.headers['x-value']]))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await fc.assert(
    fc.asyncProperty(text, text, async (path, value) => {
      let head: string
      try {
        head = requestHead('GET', `/${path}`, 'x.test', ['x-value', value, 'connection', 'close'], undefined).text
      } catch {
        return
      }
      const socket = connect(port, '127.0.0.1')
      socket.write(head, 'latin1')
      let answer = ''
      for await (const chunk of socket.setEncoding('utf8')) answer += chunk
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toEqual([
        'GET',
        `/${path}`,
        value.replace(/^[ \t]+|[ \t]+$/g, ''),
      ])
    }),
    { numRuns: 300 },
  )
})

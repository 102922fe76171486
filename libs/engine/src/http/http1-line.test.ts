import { afterEach, expect, test } from 'vitest'
import { HttpTransport, type TransportOptions } from './http-transport.ts'
import { ok, rawServer } from './raw-server.testing.ts'
import type { BodySource } from './transport.ts'
import { headerOf, textOf, wireRequest, within } from './wire-request.testing.ts'

// What is HTTP/1.1's own, beside the contract that all transports keep.

const open = new Set<HttpTransport>()
const make = (http: TransportOptions['http'] = {}) => {
  const transport = new HttpTransport({ http, files: new Map() })
  open.add(transport)
  return transport
}
afterEach(async () => {
  for (const transport of open) await transport.close()
  open.clear()
})

test('bytes that nobody asked for are nobody’s answer', async () => {
  await using server = await rawServer(socket => socket.write(`${ok('mine')}${ok('not mine')}`))
  const transport = make()
  for (let i = 0; i < 3; i++) {
    const answer = await transport.send(wireRequest(server.origin, '/'))
    expect(answer).toMatchObject({ failure: undefined, status: 200 })
    expect(textOf(answer)).toBe('mine')
    expect(answer.connectMicros).toBeGreaterThan(0)
  }
})

test('among answers in pieces, cut short, reset or given up on, everybody gets his own', async () => {
  await using server = await rawServer(async (socket, text) => {
    const id = /^GET \/(\d+)/.exec(text)?.[1] ?? ''
    const body = `${id} `.repeat(Number(id) * 10)
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const kind = Number(id) % 8
    if (kind === 0) return
    const rest =
      kind < 3
        ? `transfer-encoding: chunked\r\n\r\n${chunks}`
        : kind === 3
          ? `\r\n${body}`
          : `content-length: ${body.length}\r\n\r\n${body}`
    const all = `HTTP/1.1 200 OK\r\nx-id: ${id}\r\n${rest}`
    const piece = Math.ceil(all.length / (1 + (Number(id) % 5)))
    for (let at = 0; at < all.length && !socket.destroyed; at += piece) {
      if (kind === 4 && at > 0) socket.resetAndDestroy()
      else if (kind === 5 && at > 0) socket.end()
      else socket.write(all.slice(at, at + piece))
      await new Promise(resolve => setImmediate(resolve))
    }
    if (kind === 3) socket.end()
  })
  for (const maxConnections of [3, 30]) {
    const transport = make({ maxConnections })
    const answered = await Promise.all(
      Array.from({ length: 240 }, async (_, i) => {
        const id = String(i + 1)
        const given = Number(id) % 8 === 0 ? AbortSignal.timeout(100) : undefined
        const answer = await transport.send(wireRequest(server.origin, `/${id}`, within({ total: 60_000 })), given)
        if (answer.status !== 0) expect(headerOf(answer, 'x-id')).toBe(id)
        const whole = `${id} `.repeat(Number(id) * 10)
        expect(textOf(answer)).toBe(answer.failure === undefined ? whole : whole.slice(0, answer.body.length))
        return answer.failure === undefined
      }),
    )
    // All but 30 without an answer, and those of 60 that are cut short: each fifth comes in one piece, so is not.
    expect(answered.filter(Boolean)).toHaveLength(162)
  }
})

test('a connection is not used when its server is about to close it, as it has said', async () => {
  await using server = await rawServer(socket => socket.write(ok('', 'keep-alive: timeout=1\r\n')))
  await using patient = await rawServer(socket => socket.write(ok('', 'keep-alive: timeout=600\r\n')))
  const transport = make()
  await transport.send(wireRequest(server.origin, '/'))
  await transport.send(wireRequest(patient.origin, '/'))
  expect((await transport.send(wireRequest(server.origin, '/'))).connectMicros).toBeGreaterThan(0)
  expect((await transport.send(wireRequest(patient.origin, '/'))).connectMicros).toBe(0)
})

test('a connection that the request itself calls its last is closed', async () => {
  await using server = await rawServer(socket => socket.write(ok('')))
  const transport = make()
  await transport.send(wireRequest(server.origin, '/', { headers: ['connection', 'close'] }))
  await expect.poll(() => server.sockets.size).toBe(0)
})

test('what would not stay within its line never leaves', async () => {
  await using server = await rawServer(socket => socket.write(ok('')))
  const transport = make()
  for (const changes of [{ path: '/ HTTP/1.1\r\nx: y' }, { headers: ['a', 'b\r\nc: d'] }, { method: 'GET /' }]) {
    const answer = await transport.send(wireRequest(server.origin, '/', changes))
    expect(answer).toMatchObject({ failure: { kind: 'render' }, reach: 'unsent', bytesOut: 0 })
  }
  expect(server.received.join('')).toBe('')
})

test.each([
  ['ASCII', 'plain'],
  ['latin1', 'grün'],
  ['more', 'grün 草'],
  ['much ASCII', 'plain '.repeat(50_000)],
  ['much more', 'grün 草 '.repeat(50_000)],
])('a text of %s arrives as it is, behind its length', async (_, text) => {
  await using server = await rawServer((socket, piece) => {
    if (piece.endsWith('.')) socket.write(ok(''))
  })
  const transport = make()
  for (let i = 0; i < 2; i++)
    await transport.send(wireRequest(server.origin, '/', { method: 'POST', body: `${text}.` }))
  const received = Buffer.from(server.received.join(''), 'latin1').toString()
  const message = `content-length: ${Buffer.byteLength(text) + 1}\r\n\r\n${text}.`
  expect(received.split('POST / HTTP/1.1').map(each => each.endsWith(message))).toEqual([false, true, true])
})

const source = (length: number, pieces: readonly (Uint8Array | Error)[]): BodySource => ({
  length,
  async *open() {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece
      yield piece
    }
  },
})

test.each([
  [
    'is longer than announced',
    source(3, [Buffer.from('ab'), Buffer.from('cd')]),
    'render',
    'expected 3 bytes, got more',
  ],
  ['is shorter than announced', source(9, [Buffer.from('ab')]), 'render', 'expected 9 bytes, got 2'],
  ['cannot be read', source(9, [Buffer.from('ab'), new Error('the disk is gone')]), 'other:Error', 'the disk is gone'],
])('a body that %s ends its exchange, and its connection', async (_, body, kind, message) => {
  await using server = await rawServer((socket, text) => {
    if (text.startsWith('GET')) socket.write(ok('next'))
  })
  const transport = make()
  const answer = await transport.send(wireRequest(server.origin, '/', { method: 'POST', body }))
  expect(answer).toMatchObject({ failure: { kind }, reach: 'in-doubt' })
  expect(answer.failure?.message).toContain(message)
  expect(textOf(await transport.send(wireRequest(server.origin, '/')))).toBe('next')
  expect(server.received.at(-1)).toMatch(/^GET/)
})

test('an answer before the body is sent is an answer; the rest of the body goes nowhere', async () => {
  let isAnswered = false
  await using server = await rawServer(socket => {
    if (isAnswered) return
    isAnswered = true
    socket.write(ok('too much', 'x: y\r\n').replace('200 OK', '413 Payload Too Large'))
  })
  const endless: BodySource = {
    length: 1_000_000_000,
    async *open() {
      for (;;) {
        await new Promise(resolve => setTimeout(resolve, 1))
        yield Buffer.alloc(1000)
      }
    },
  }
  const answer = await make().send(wireRequest(server.origin, '/', { method: 'POST', body: endless }))
  expect(answer).toMatchObject({ failure: undefined, status: 413 })
  await expect.poll(() => server.sockets.size).toBe(0)
})

test('what is left of a body whose answer has come does not stand before the next request', async () => {
  let isAnswered = false
  await using server = await rawServer((socket, text) => {
    if (text.startsWith('GET')) socket.write(ok('next'))
    if (isAnswered) return
    isAnswered = true
    // It reads no more, and does not say so.
    socket.write(ok('enough'))
    socket.pause()
  })
  const transport = make()
  const answer = await transport.send(wireRequest(server.origin, '/', { method: 'POST', body: 'x'.repeat(20_000_000) }))
  expect(textOf(answer)).toBe('enough')
  expect(textOf(await transport.send(wireRequest(server.origin, '/', within({ headers: 5000 }))))).toBe('next')
})

test('a body that is sent whole keeps its connection, however long its source takes to end', async () => {
  await using server = await rawServer(socket => socket.write(ok('')))
  const transport = make()
  let end = (): void => {}
  const body: BodySource = {
    length: 2,
    async *open() {
      yield Buffer.from('ab')
      await new Promise<void>(resolve => {
        end = resolve
      })
    },
  }
  const request = wireRequest(server.origin, '/', { method: 'POST', body })
  expect(await transport.send(request)).toMatchObject({ failure: undefined })
  end()
  expect(await transport.send(request)).toMatchObject({ failure: undefined, connectMicros: 0 })
  end()
})

test('a large download is whole, kept in one piece of memory', async () => {
  const whole = Buffer.alloc(5_000_000, 'onrush ')
  await using server = await rawServer(socket => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${whole.length}\r\n\r\n`)
    for (let at = 0; at < whole.length; at += 70_001) socket.write(whole.subarray(at, at + 70_001))
  })
  const answer = await make().send(wireRequest(server.origin, '/', { maxBody: 6_000_000 }))
  expect(Buffer.compare(answer.body, whole)).toBe(0)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TransportOptions } from './http-transport.ts'
import { ok, rawServer } from './raw-server.testing.ts'
import type { Transport } from './transport.ts'
import { headerOf, textOf, wireRequest, within } from './wire-request.testing.ts'

/** What every transport owes, shown on real sockets. */
export function describeTransport(name: string, create: (options: TransportOptions) => Transport): void {
  describe(name, () => {
    let target: DemoTarget
    const open = new Set<Transport>()
    const make = (http: TransportOptions['http'] = {}, guard?: TransportOptions['guard']): Transport => {
      const transport = create({ http, files: new Map(), ...(guard === undefined ? {} : { guard }) })
      open.add(transport)
      return transport
    }
    beforeAll(async () => {
      target = await startDemoTarget()
    })
    afterEach(async () => {
      for (const transport of open) await transport.close()
      open.clear()
    })
    afterAll(() => target.stop())

    const get = (path: string, changes = {}) => make().send(wireRequest(target.url, path, changes))

    describe('answers', () => {
      test('a GET: status, headers, body, and when what happened', async () => {
        const answer = await get('/json')
        expect(answer).toMatchObject({ failure: undefined, reach: 'answered', status: 200, statusText: 'OK' })
        expect(JSON.parse(textOf(answer))).toMatchObject({ name: 'onrush' })
        expect(headerOf(answer, 'content-type')).toMatch('application/json')
        expect(answer.bodyLength).toBe(answer.body.length)
        expect(answer.endedAt).toBeGreaterThanOrEqual(answer.sentAt)
        expect(answer.connectMicros).toBeGreaterThan(0)
        expect(answer.tlsMicros).toBe(0)
        expect(answer.firstByteMicros).toBeGreaterThan(0)
        expect(answer.firstByteMicros).toBeLessThanOrEqual(Math.ceil((answer.endedAt - answer.sentAt) * 1000))
      })

      test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s carries its headers and body', async method => {
        const body = '{"grüße":1}'
        const answer = await get('/echo?a=1', {
          method,
          headers: ['content-type', 'application/json', 'x-a', 'b'],
          body,
        })
        expect(JSON.parse(textOf(answer))).toMatchObject({
          method,
          url: '/echo?a=1',
          headers: { 'x-a': 'b', 'content-length': String(Buffer.byteLength(body)) },
          body: { grüße: 1 },
        })
      })

      test('a body of bytes, and one that is read while it is sent', async () => {
        const transport = make()
        const bytes = await transport.send(
          wireRequest(target.url, '/echo', { method: 'POST', body: new Uint8Array([79, 110]) }),
        )
        expect(JSON.parse(textOf(bytes)).body).toBe('On')
        const body = {
          length: 6,
          async *open() {
            yield Buffer.from('rus')
            yield Buffer.from('h!\n')
          },
        }
        for (let i = 0; i < 2; i++) {
          const streamed = await transport.send(wireRequest(target.url, '/echo', { method: 'POST', body }))
          expect(JSON.parse(textOf(streamed))).toMatchObject({ body: 'rush!\n', headers: { 'content-length': '6' } })
        }
      })

      test('HEAD has headers and no body, and its connection is used again', async () => {
        const transport = make()
        await target.resetStats()
        const answer = await transport.send(wireRequest(target.url, '/bytes?n=5000', { method: 'HEAD', maxBody: 10 }))
        expect(answer).toMatchObject({ failure: undefined, status: 200, bodyLength: 0 })
        expect(headerOf(answer, 'content-length')).toBe('5000')
        await transport.send(wireRequest(target.url, '/json'))
        expect((await target.stats()).connections.used).toBe(1)
      })

      test('a body in many pieces is whole', async () => {
        const answer = await get('/bytes?n=300000')
        expect(answer.body.length).toBe(300_000)
        expect(textOf(await get('/chunked?n=3&ms=5'))).toBe('chunk 1\nchunk 2\nchunk 3\n')
      })

      test('a body that is discarded is counted, whatever its size', async () => {
        const answer = await get('/bytes?n=300000', { discardBody: true, maxBody: 10 })
        expect(answer).toMatchObject({ failure: undefined, status: 200, bodyLength: 300_000 })
        expect(answer.body.length).toBe(0)
      })

      test('repeated headers all arrive', async () => {
        const cookies = headerOf(await get('/set-cookie'), 'set-cookie')
        expect(cookies).toHaveLength(2)
      })

      test('an interim response is not the response', async () => {
        await using server = await rawServer(socket =>
          socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok('here')}`),
        )
        const answer = await make().send(wireRequest(server.origin, '/'))
        expect(answer).toMatchObject({ failure: undefined, status: 200 })
        expect(textOf(answer)).toBe('here')
      })

      test('a body without a length ends with the connection', async () => {
        await using server = await rawServer(socket => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'))
        expect(textOf(await make().send(wireRequest(server.origin, '/')))).toBe('all of it')
      })

      test('bytes are counted as they pass', async () => {
        await using server = await rawServer(socket => socket.write(ok('hello')))
        const transport = make()
        let before = 0
        for (const path of ['/', '/longer', '/longer/yet']) {
          const answer = await transport.send(wireRequest(server.origin, path))
          const after = server.received[0]?.length ?? 0
          expect(answer).toMatchObject({ bytesIn: ok('hello').length, bytesOut: after - before })
          before = after
        }
      })
    })

    describe('connections', () => {
      test('are kept and used again; only the first exchange pays for one', async () => {
        const transport = make()
        await target.resetStats()
        const micros: number[] = []
        for (let i = 0; i < 5; i++) {
          const answer = await transport.send(wireRequest(target.url, '/json'))
          expect(answer.failure).toBeUndefined()
          micros.push(answer.connectMicros)
        }
        expect(micros[0]).toBeGreaterThan(0)
        expect(micros.slice(1)).toEqual([0, 0, 0, 0])
        expect((await target.stats()).connections.used).toBe(1)
      })

      test('are as many as there are exchanges at a time', async () => {
        const transport = make()
        await target.resetStats()
        const all = () =>
          Promise.all(Array.from({ length: 20 }, () => transport.send(wireRequest(target.url, '/slow?ms=50'))))
        for (const answer of [...(await all()), ...(await all())]) expect(answer.status).toBe(200)
        expect((await target.stats()).connections.used).toBe(20)
      })

      test('are limited by maxConnections; the others wait their turn', async () => {
        const transport = make({ maxConnections: 2 })
        await target.resetStats()
        const answers = await Promise.all(
          Array.from({ length: 9 }, () => transport.send(wireRequest(target.url, '/slow?ms=10'))),
        )
        expect(answers.map(answer => answer.status)).toEqual(Array(9).fill(200))
        expect((await target.stats()).connections.used).toBe(2)
      })

      test('a limited connection that the server closes each time is opened anew', async () => {
        await using server = await rawServer(socket => socket.end(ok('bye', 'connection: close\r\n')))
        const transport = make({ maxConnections: 1 })
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => transport.send(wireRequest(server.origin, '/'))),
        )
        for (const answer of answers) {
          expect(answer).toMatchObject({ failure: undefined, status: 200 })
          expect(answer.connectMicros).toBeGreaterThan(0)
        }
      })

      test('belong to their key, and end with it', async () => {
        const transport = make()
        await target.resetStats()
        const [one, two] = [{ session: 1 }, { session: 2 }]
        for (const connections of [one, two, one, two]) {
          await transport.send(wireRequest(target.url, '/json', { connections }))
        }
        expect((await target.stats()).connections).toMatchObject({ used: 2, open: 3 })
        transport.release(one)
        await expect.poll(async () => (await target.stats()).connections.open).toBe(2)
        transport.release(two)
        await expect.poll(async () => (await target.stats()).connections.open).toBe(1)
        const again = await transport.send(wireRequest(target.url, '/json', { connections: one }))
        expect(again.connectMicros).toBeGreaterThan(0)
      })

      test('one that died while idle is replaced without a failure', async () => {
        await using server = await rawServer(socket => socket.write(ok('yes')))
        const transport = make()
        await transport.send(wireRequest(server.origin, '/'))
        for (const socket of server.sockets) socket.end()
        await sleep(50)
        const answer = await transport.send(wireRequest(server.origin, '/'))
        expect(answer).toMatchObject({ failure: undefined, status: 200 })
        expect(answer.connectMicros).toBeGreaterThan(0)
      })
    })

    describe('failures', () => {
      const outcome = async (path: string, changes = {}) => {
        const { failure, reach, status } = await get(path, changes)
        return [failure?.kind, reach, status]
      }

      test('refused', async () => {
        const server = await rawServer(() => {})
        await server[Symbol.asyncDispose]()
        const answer = await make().send(wireRequest(server.origin, '/'))
        expect(answer).toMatchObject({ failure: { kind: 'refused' }, reach: 'unsent', status: 0, bytesOut: 0 })
        expect(answer.sentAt).toBeLessThanOrEqual(answer.endedAt)
      })

      test('dns', async () => {
        const answer = await make().send(wireRequest('http://nobody.invalid', '/'))
        expect(answer).toMatchObject({ failure: { kind: 'dns' }, reach: 'unsent' })
      })

      test('tls: the other side does not speak it', async () => {
        const answer = await make().send(wireRequest(target.url.replace('http:', 'https:'), '/'))
        expect(answer).toMatchObject({ failure: { kind: 'tls' }, reach: 'unsent' })
      })

      test('timeout_connect: nobody ends the handshake', async () => {
        await using server = await rawServer(() => {})
        const origin = server.origin.replace('http:', 'https:')
        const answer = await make().send(wireRequest(origin, '/', within({ connect: 100 })))
        expect(answer).toMatchObject({ failure: { kind: 'timeout_connect' }, reach: 'unsent' })
        await expect.poll(() => server.sockets.size).toBe(0)
      })

      test('timeout_headers, timeout_body, timeout_total', async () => {
        expect(await outcome('/hang', within({ headers: 100 }))).toEqual(['timeout_headers', 'in-doubt', 0])
        expect(await outcome('/chunked?n=3&ms=5000', within({ body: 100 }))).toEqual(['timeout_body', 'answered', 200])
        expect(await outcome('/hang', within({ total: 100 }))).toEqual(['timeout_total', 'in-doubt', 0])
        expect(await outcome('/chunked?n=100&ms=30', within({ body: 1000, total: 200 }))).toEqual([
          'timeout_total',
          'answered',
          200,
        ])
      })

      test('a body that goes on is not a stalled one', async () => {
        expect(await outcome('/chunked?n=8&ms=60', within({ headers: 5000, body: 300 }))).toEqual([
          undefined,
          'answered',
          200,
        ])
      })

      test('timeout_total while waiting for a connection', async () => {
        const transport = make({ maxConnections: 1 })
        const first = transport.send(wireRequest(target.url, '/slow?ms=400'))
        const second = await transport.send(wireRequest(target.url, '/json', within({ total: 100 })))
        expect(second).toMatchObject({ failure: { kind: 'timeout_total' }, reach: 'unsent' })
        expect((await first).status).toBe(200)
        expect((await transport.send(wireRequest(target.url, '/json'))).status).toBe(200)
      })

      test('reset, before the response and within it', async () => {
        expect(await outcome('/reset')).toEqual(['reset', 'answered', 200])
        await using server = await rawServer(socket => socket.resetAndDestroy())
        const answer = await make().send(wireRequest(server.origin, '/'))
        expect(answer).toMatchObject({ failure: { kind: 'reset' }, reach: 'in-doubt', status: 0 })
        await using silent = await rawServer(socket => socket.end())
        expect(await make().send(wireRequest(silent.origin, '/'))).toMatchObject({
          failure: { kind: 'reset' },
          reach: 'in-doubt',
        })
      })

      test.each([
        ['a length', 'content-length: 100\r\n\r\nhalf'],
        ['chunks', 'transfer-encoding: chunked\r\n\r\n64\r\nhalf'],
      ])('reset: a body cut short, sent with %s', async (_, rest) => {
        await using server = await rawServer(socket => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))
        const answer = await make().send(wireRequest(server.origin, '/'))
        expect(answer).toMatchObject({ failure: { kind: 'reset' }, reach: 'answered', status: 200 })
        expect(textOf(answer)).toBe('half')
      })

      test.each([
        ['a status that is none', 'HTTP/1.1 two hundred\r\n\r\n'],
        ['another protocol', '220 mail.example.com ESMTP ready\r\n'],
        ['a length that is none', 'HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n'],
        ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
        ['a head without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`],
      ])('malformed_response: %s', async (_, bytes) => {
        await using server = await rawServer(socket => socket.write(bytes))
        const answer = await make().send(wireRequest(server.origin, '/', within({ headers: 3000 })))
        expect(answer.failure?.kind).toBe('malformed_response')
      })

      test('too_large, announced or not; a little of it is kept', async () => {
        expect(await outcome('/bytes?n=5000000000', { maxBody: 1000 })).toEqual(['too_large', 'answered', 200])
        const answer = await get('/chunked?n=100000', { maxBody: 50_000 })
        expect(answer).toMatchObject({ failure: { kind: 'too_large' }, reach: 'answered' })
        expect(textOf(answer)).toMatch(/^chunk 1\n/)
        expect(answer.body.length).toBeLessThan(10_000)
      })

      test('too_large is not what has no body, however large it is elsewhere', async () => {
        await using server = await rawServer(socket =>
          socket.write('HTTP/1.1 304 Not Modified\r\ncontent-length: 5000\r\n\r\n'),
        )
        const answer = await make().send(wireRequest(server.origin, '/', { maxBody: 1000 }))
        expect(answer).toMatchObject({ failure: undefined, status: 304, bodyLength: 0 })
      })

      test('too_large is more than maxBody, not maxBody', async () => {
        expect((await get('/bytes?n=1000', { maxBody: 1000 })).failure).toBeUndefined()
        expect((await get('/bytes?n=1001', { maxBody: 1000 })).failure?.kind).toBe('too_large')
      })

      test('target_refused: nothing is sent, nothing is opened', async () => {
        await using server = await rawServer(socket => socket.write(ok('')))
        const guard = { refusal: (host: string, address?: string) => `${host} at ${address} is not allowed` }
        for (const host of ['127.0.0.1', 'localhost', 'shop.test']) {
          const transport = make({ hosts: { 'shop.test': '127.0.0.1' } }, guard)
          const answer = await transport.send(wireRequest(`http://${host}:${server.port}`, '/'))
          expect(answer).toMatchObject({ failure: { kind: 'target_refused' }, reach: 'unsent' })
          // A name that the script itself gives an address is judged as that address.
          expect(answer.failure?.message).toContain(`${host === 'shop.test' ? '127.0.0.1' : host} at `)
        }
        expect(server.received).toEqual([])
      })

      test('interrupted by its signal: before, while connecting, while waiting', async () => {
        const transport = make()
        const early = await transport.send(wireRequest(target.url, '/json'), AbortSignal.abort())
        expect(early).toMatchObject({ failure: { kind: 'interrupted' }, reach: 'unsent' })
        const connecting = new AbortController()
        const refused = transport.send(wireRequest(target.url, '/json'), connecting.signal)
        connecting.abort()
        expect(await refused).toMatchObject({ failure: { kind: 'interrupted' }, reach: 'unsent' })
        const waiting = new AbortController()
        const hanging = transport.send(wireRequest(target.url, '/hang'), waiting.signal)
        await sleep(100)
        waiting.abort()
        expect(await hanging).toMatchObject({ failure: { kind: 'interrupted' }, reach: 'in-doubt' })
        expect((await transport.send(wireRequest(target.url, '/json'))).status).toBe(200)
      })

      test('what is ended while it waits never leaves, and does not stand in the way of others', async () => {
        await using server = await rawServer((socket, text) => {
          if (text.startsWith('GET /after')) socket.write(ok('served'))
        })
        const transport = make({ maxConnections: 1 })
        const sessions = new AbortController()
        const ended = ['/a', '/b', '/c'].map(path => transport.send(wireRequest(server.origin, path), sessions.signal))
        await expect.poll(() => server.received.join('')).toContain('GET /a')
        sessions.abort()
        for (const answer of await Promise.all(ended)) expect(answer.failure?.kind).toBe('interrupted')
        expect(textOf(await transport.send(wireRequest(server.origin, '/after')))).toBe('served')
        expect(server.received.join('')).not.toMatch(/GET \/[bc]/)
      })

      test('interrupted by the release of its connections: while connecting, while waiting', async () => {
        await using server = await rawServer(() => {})
        const transport = make()
        const [early, late] = [{ session: 1 }, { session: 2 }]
        const secure = server.origin.replace('http:', 'https:')
        const connecting = transport.send(wireRequest(secure, '/', { connections: early }))
        const waiting = transport.send(wireRequest(server.origin, '/', { connections: late }))
        await expect.poll(() => server.received.join('')).toContain('GET /')
        transport.release(early)
        transport.release(late)
        expect(await connecting).toMatchObject({ failure: { kind: 'interrupted' }, reach: 'unsent' })
        expect(await waiting).toMatchObject({ failure: { kind: 'interrupted' }, reach: 'in-doubt' })
        await expect.poll(() => server.sockets.size).toBe(0)
      })

      test('one signal ends all that was given it, then and later', async () => {
        const transport = make()
        const session = new AbortController()
        for (let i = 0; i < 3; i++) {
          expect((await transport.send(wireRequest(target.url, '/json'), session.signal)).failure).toBeUndefined()
        }
        const hanging = [1, 2, 3].map(() => transport.send(wireRequest(target.url, '/hang'), session.signal))
        await sleep(100)
        session.abort()
        for (const answer of await Promise.all(hanging)) expect(answer.failure?.kind).toBe('interrupted')
        const late = await transport.send(wireRequest(target.url, '/json'), session.signal)
        expect(late).toMatchObject({ failure: { kind: 'interrupted' }, reach: 'unsent' })
      })

      test('interrupted by the end of the transport; later ones too', async () => {
        const transport = make()
        const hanging = transport.send(wireRequest(target.url, '/hang'))
        const own = transport.send(wireRequest(target.url, '/hang', { connections: { session: 1 } }))
        await sleep(100)
        await transport.close()
        for (const answer of [await hanging, await own]) {
          expect(answer).toMatchObject({ failure: { kind: 'interrupted' }, reach: 'in-doubt' })
        }
        expect(await transport.send(wireRequest(target.url, '/json'))).toMatchObject({
          failure: { kind: 'interrupted' },
          reach: 'unsent',
        })
      })

      test('a failed exchange never harms the next one', async () => {
        const transport = make()
        for (const path of ['/reset', '/malformed', '/bytes?n=9000000', '/hang', '/chunked?n=2&ms=3000']) {
          const failed = await transport.send(
            wireRequest(target.url, path, { maxBody: 1000, ...within({ headers: 100, body: 100 }) }),
          )
          expect(failed.failure).toBeDefined()
          const next = await transport.send(wireRequest(target.url, '/json'))
          expect(next).toMatchObject({ failure: undefined, status: 200 })
        }
      })
    })

    test('what was sent and what the target saw are the same numbers', async () => {
      const transport = make()
      await target.resetStats()
      const paths = ['/json', '/status/404', '/flaky?rate=0.5', '/reset', '/hang', '/chunked?n=4&ms=1']
      const answers = await Promise.all(
        Array.from({ length: 240 }, (_, i) =>
          transport.send(wireRequest(target.url, paths[i % paths.length] ?? '/', within({ headers: 500 }))),
        ),
      )
      const count = (reach: string) => answers.filter(answer => answer.reach === reach).length
      const { seen } = await target.stats()
      expect(count('unsent')).toBe(0)
      expect(count('in-doubt')).toBe(40)
      expect(seen).toBe(240)
    })
  })
}

import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { createServer as createTls, type TLSSocket, type TlsOptions } from 'node:tls'
import { OnrushError } from '@onrush/protocol/error'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Certificates, makeCertificates } from './certificates.testing.ts'
import { HttpTransport, type TransportOptions } from './http-transport.ts'
import { ok } from './raw-server.testing.ts'
import type { TargetGuard } from './target-guard.ts'
import { headerOf, textOf, wireRequest, within } from './wire-request.testing.ts'

let certificates: Certificates
const open: { close(): unknown }[] = []
beforeAll(async () => {
  certificates = await makeCertificates()
})
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})
afterAll(() => certificates[Symbol.dispose]())

const own = () => ({ key: certificates.read('server.key'), cert: certificates.read('server.pem') })

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(server)
  return (server.address() as AddressInfo).port
}

const tlsServer = (options: TlsOptions = {}, answer = (socket: TLSSocket) => socket.write(ok('secret'))) =>
  listening(
    createTls({ ...own(), ...options }, socket => {
      socket.on('error', () => socket.destroy())
      socket.on('data', () => answer(socket))
    }),
  )

function make(http: TransportOptions['http'], guard?: TargetGuard): HttpTransport {
  const transport = new HttpTransport({ http, files: certificates.files, ...(guard === undefined ? {} : { guard }) })
  open.push(transport)
  return transport
}

test('a certificate of an authority that is known is trusted; the handshake is measured once', async () => {
  const port = await tlsServer()
  const transport = make({ tls: { ca: 'ca.pem' } })
  const first = await transport.send(wireRequest(`https://localhost:${port}`, '/'))
  expect(first).toMatchObject({ failure: undefined, status: 200 })
  expect(textOf(first)).toBe('secret')
  expect(first.connectMicros).toBeGreaterThan(0)
  expect(first.tlsMicros).toBeGreaterThan(0)
  const second = await transport.send(wireRequest(`https://localhost:${port}`, '/'))
  expect(second).toMatchObject({ failure: undefined, connectMicros: 0, tlsMicros: 0 })
  // The handshake is on the wire too, and belongs to the exchange that needed it.
  expect(first.bytesOut).toBeGreaterThan(second.bytesOut + 100)
  expect(second.bytesIn).toBeGreaterThan(ok('secret').length)
})

test.each([
  ['an authority that nobody knows', {}, 'https://localhost', 'tls'],
  [
    'a name that the certificate does not have',
    { tls: { ca: 'ca.pem' }, hosts: { 'else.test': '127.0.0.1' } },
    'https://else.test',
    'tls',
  ],
  ['any certificate, when told so', { tls: { insecure: true } }, 'https://localhost', undefined],
  ['an address in the certificate', { tls: { ca: 'ca.pem' } }, 'https://127.0.0.1', undefined],
  [
    'a name that leads elsewhere',
    { tls: { ca: 'ca.pem' }, hosts: { 'shop.test': '127.0.0.1' } },
    'https://shop.test',
    undefined,
  ],
  [
    'another name for the certificate',
    { tls: { ca: 'ca.pem', servername: 'shop.test' } },
    'https://127.0.0.1',
    undefined,
  ],
] as const)('%s', async (_, http, origin, kind) => {
  const port = await tlsServer()
  const answer = await make(http).send(wireRequest(`${origin}:${port}`, '/'))
  expect(answer.failure?.kind).toBe(kind)
  expect(answer.reach).toBe(kind === undefined ? 'answered' : 'unsent')
})

test('a client certificate', async () => {
  const port = await tlsServer({ requestCert: true, ca: certificates.read('ca.pem') })
  const tls = { ca: 'ca.pem', cert: 'client.pem', key: 'client.key' }
  const answer = await make({ tls }).send(wireRequest(`https://localhost:${port}`, '/'))
  expect(answer).toMatchObject({ failure: undefined, status: 200 })
  const without = await make({ tls: { ca: 'ca.pem' } }).send(wireRequest(`https://localhost:${port}`, '/'))
  expect(without.failure).toBeDefined()
})

test.each([
  ['a file that is not there', { ca: 'nowhere.pem' }, 'cannot read "nowhere.pem"'],
  [
    'a key that belongs to another',
    { cert: 'client.pem', key: 'server.key' },
    'expected PEM files that belong together',
  ],
])('%s is said before the start', (_, tls, message) => {
  expect(() => make({ tls })).toThrow(OnrushError)
  expect(() => make({ tls })).toThrow(message)
})

test('HTTP/2 where the server speaks it: one connection for all', async () => {
  let sessions = 0
  const server = createSecureServer({ ...own(), allowHTTP1: true }, (request, response) => {
    response.setHeader('x-version', request.httpVersion)
    setTimeout(() => response.end(`you sent ${request.url}`), 20)
  })
  server.on('session', () => sessions++)
  const port = await listening(server)
  const transport = make({ http2: true, tls: { ca: 'ca.pem' } })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => transport.send(wireRequest(`https://localhost:${port}`, `/${i}`))),
  )
  for (const [i, answer] of answers.entries()) {
    expect(answer).toMatchObject({ failure: undefined, reach: 'answered', status: 200 })
    expect(headerOf(answer, 'x-version')).toBe('2.0')
    expect(textOf(answer)).toBe(`you sent /${i}`)
    expect(answer.bytesIn).toBeGreaterThan(10)
    expect(answer.bytesOut).toBeGreaterThan(10)
  }
  expect(sessions).toBe(1)
  expect(answers.filter(answer => answer.connectMicros > 0)).toHaveLength(1)
})

test('HTTP/2 asked for and not spoken: as many connections as HTTP/1.1 needs', async () => {
  let connections = 0
  const server = createHttps(own(), (_, response) => {
    setTimeout(() => response.end('one'), 20)
  })
  server.on('secureConnection', () => connections++)
  const port = await listening(server)
  const transport = make({ http2: true, tls: { ca: 'ca.pem' } })
  const send = () => transport.send(wireRequest(`https://localhost:${port}`, '/'))
  expect((await send()).status).toBe(200)
  for (const answer of await Promise.all(Array.from({ length: 10 }, send))) expect(textOf(answer)).toBe('one')
  expect(connections).toBe(10)
})

test('a limited HTTP/2 connection that died while idle is replaced', async () => {
  const server = createSecureServer(own(), (_, response) => response.end('here'))
  const sessions = new Set<{ close(): void }>()
  server.on('session', session => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  const port = await listening(server)
  const transport = make({ tls: { ca: 'ca.pem' }, http2: true, maxConnections: 1 })
  for (let i = 0; i < 3; i++) {
    const answer = await transport.send(wireRequest(`https://localhost:${port}`, '/', within({ total: 5000 })))
    expect(answer).toMatchObject({ failure: undefined, status: 200 })
    expect(answer.connectMicros).toBeGreaterThan(0)
    for (const session of sessions) session.close()
    await expect.poll(() => sessions.size).toBe(0)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
})

test('a connection belongs to the name that it was opened for', async () => {
  const server = createHttps(own(), (request, response) => {
    const { servername } = request.socket as TLSSocket
    response.end(`${servername} for ${request.headers.host}`)
  })
  const port = await listening(server)
  const origin = `https://127.0.0.1:${port}`
  const transport = make({ tls: { insecure: true } })
  const asked = async (host: string | undefined) => {
    const headers = host === undefined ? [] : ['x-a', 'b', 'Host', host]
    const answer = await transport.send(wireRequest(origin, '/', { headers }))
    return [textOf(answer), answer.connectMicros > 0]
  }
  expect(await asked('a.test:8443')).toEqual(['a.test for a.test:8443', true])
  expect(await asked('b.test')).toEqual(['b.test for b.test', true])
  expect(await asked('a.test')).toEqual(['a.test for a.test', false])
  // An address is no name that can be asked for.
  expect(await asked('[::1]:80')).toEqual(['false for [::1]:80', true])
  expect(await asked(undefined)).toEqual([`false for 127.0.0.1:${port}`, false])
})

test('without HTTP/2 nobody is asked for it', async () => {
  const server = createSecureServer({ ...own(), allowHTTP1: true }, (request, response) =>
    response.end(request.httpVersion),
  )
  const port = await listening(server)
  const answer = await make({ tls: { ca: 'ca.pem' } }).send(wireRequest(`https://localhost:${port}`, '/'))
  expect(textOf(answer)).toBe('1.1')
})

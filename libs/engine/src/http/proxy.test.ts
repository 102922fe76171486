import { once } from 'node:events'
import { createServer, request as requestHttp } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { OnrushError } from '@onrush/protocol/error'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Certificates, makeCertificates } from './certificates.testing.ts'
import { HttpTransport, type TransportOptions } from './http-transport.ts'
import { ok, rawServer } from './raw-server.testing.ts'
import { textOf, wireRequest, within } from './wire-request.testing.ts'

let certificates: Certificates
const open: { close(): unknown }[] = []
beforeAll(async () => {
  certificates = await makeCertificates()
})
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})
afterAll(() => certificates[Symbol.dispose]())

/** A real proxy: it forwards requests with whole URLs, and opens tunnels. */
async function proxyServer() {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`)
    const { 'proxy-authorization': _, ...headers } = request.headers
    requestHttp(request.url ?? '', { method: request.method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    }).end()
  })
  server.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`)
    const [host, port] = (request.url ?? '').split(':')
    if (host === 'forbidden.test') {
      socket.end('HTTP/1.1 403 Not from here\r\n\r\n')
      return
    }
    const onward = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push({ close: () => server.closeAllConnections() }, server)
  return { seen, port: (server.address() as AddressInfo).port }
}

function make(http: TransportOptions['http'], guard?: TransportOptions['guard']): HttpTransport {
  const transport = new HttpTransport({ http, files: certificates.files, ...(guard === undefined ? {} : { guard }) })
  open.push(transport)
  return transport
}

async function secureTarget(): Promise<number> {
  const server = createTls({ key: certificates.read('server.key'), cert: certificates.read('server.pem') }, socket => {
    socket.on('error', () => socket.destroy())
    socket.on('data', () => socket.write(ok('through the tunnel')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(server)
  return (server.address() as AddressInfo).port
}

const basic = `Basic ${btoa('ada:s cret')}`

test('a plain request goes to the proxy with its whole URL', async () => {
  await using target = await rawServer(socket => socket.write(ok('here')))
  const proxy = await proxyServer()
  const transport = make({ proxy: `http://ada:s%20cret@127.0.0.1:${proxy.port}` })
  for (let i = 0; i < 2; i++) {
    const answer = await transport.send(wireRequest(target.origin, '/x?y=1'))
    expect(answer).toMatchObject({ failure: undefined, status: 200 })
    expect(textOf(answer)).toBe('here')
  }
  expect(proxy.seen).toEqual([`GET ${target.origin}/x?y=1 ${basic}`, `GET ${target.origin}/x?y=1 ${basic}`])
})

test('a secure one goes through a tunnel, which is opened once', async () => {
  const port = await secureTarget()
  const proxy = await proxyServer()
  const transport = make({ proxy: `http://ada:s%20cret@127.0.0.1:${proxy.port}`, tls: { ca: 'ca.pem' } })
  for (let i = 0; i < 2; i++) {
    const answer = await transport.send(wireRequest(`https://shop.test:${port}`, '/'))
    expect(answer).toMatchObject({ failure: undefined, status: 200 })
    expect(textOf(answer)).toBe('through the tunnel')
    if (i === 0) expect(answer.tlsMicros).toBeGreaterThan(0)
  }
  expect(proxy.seen).toEqual([`CONNECT shop.test:${port} ${basic}`])
})

test.each([{}, { servername: 'shop.test' }])('a proxy over TLS is told nothing in the clear, with %j', async tls => {
  const port = await secureTarget()
  const plain = await proxyServer()
  const names: unknown[] = []
  const server = createTls({ key: certificates.read('server.key'), cert: certificates.read('server.pem') }, socket => {
    const onward = connect(plain.port, '127.0.0.1')
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
    names.push(socket.servername)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(server)
  await using target = await rawServer(socket => socket.write(ok('here')))
  const proxy = `https://ada:s%20cret@localhost:${(server.address() as AddressInfo).port}`
  const transport = make({ proxy, tls: { ca: 'ca.pem', ...tls } })
  expect(textOf(await transport.send(wireRequest(target.origin, '/x')))).toBe('here')
  expect(textOf(await transport.send(wireRequest(`https://shop.test:${port}`, '/')))).toBe('through the tunnel')
  expect(plain.seen).toEqual([`GET ${target.origin}/x ${basic}`, `CONNECT shop.test:${port} ${basic}`])
  // It is asked for by its own name, whatever the target is asked for by.
  expect(names).toEqual(['localhost', 'localhost'])
})

test('failures of the proxy are its own', async () => {
  const proxy = await proxyServer()
  const refused = make({ proxy: `http://127.0.0.1:${proxy.port}` })
  const answer = await refused.send(wireRequest('https://forbidden.test', '/'))
  expect(answer).toMatchObject({ failure: { kind: 'proxy' }, reach: 'unsent' })
  expect(answer.failure?.message).toBe('the proxy refused a tunnel to forbidden.test:443: HTTP/1.1 403 Not from here')
  await using silent = await rawServer(socket => socket.end())
  const hungUp = make({ proxy: silent.origin })
  expect(await hungUp.send(wireRequest('https://a.test', '/'))).toMatchObject({ failure: { kind: 'proxy' } })
  await using endless = await rawServer(socket => socket.write('x'.repeat(20_000)))
  const babbling = make({ proxy: endless.origin })
  expect(await babbling.send(wireRequest('https://a.test', '/'))).toMatchObject({ failure: { kind: 'proxy' } })
  await using slow = await rawServer(() => {})
  const waiting = make({ proxy: slow.origin })
  expect(await waiting.send(wireRequest('https://a.test', '/', within({ connect: 100 })))).toMatchObject({
    failure: { kind: 'timeout_connect' },
  })
})

test('a guard is asked for the name, which the proxy resolves, and for the proxy itself', async () => {
  const proxy = await proxyServer()
  const asked: string[] = []
  const guard = {
    refusal(host: string, address: string | undefined) {
      asked.push(`${host} ${address}`)
      return host === 'bad.test' ? 'bad.test is not allowed' : undefined
    },
  }
  const transport = make({ proxy: `http://127.0.0.1:${proxy.port}` }, guard)
  const answer = await transport.send(wireRequest('https://bad.test', '/'))
  expect(answer).toMatchObject({ failure: { kind: 'target_refused' }, reach: 'unsent' })
  await transport.send(wireRequest('https://forbidden.test', '/'))
  expect(asked).toEqual(['bad.test undefined', 'forbidden.test undefined', '127.0.0.1 127.0.0.1'])
})

test.each(['proxy.test:8080', 'socks5://x', 'http://u:secret@'])(
  '%s is no proxy; a password in it is not told',
  proxy => {
    expect(() => make({ proxy })).toThrow(OnrushError)
    expect(() => make({ proxy })).toThrow(/^(?!.*secret)http\.proxy: expected a URL/)
  },
)

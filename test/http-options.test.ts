import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, request as requestHttp } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { makeCertificates } from '../libs/engine/src/http/certificates.testing.ts'
import { errorsOf, inline, run, stepOf } from './support/engine-run.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

// What each option does is tested where it is built; here, that each one of a simulation gets to the wire.

interface Seen {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly port: number
}

let seen: Seen[] = []
const under = (path: string) => seen.filter(({ url }) => url.pathname === path)
const only = (path: string): Seen => {
  const [first, ...more] = under(path)
  if (first === undefined || more.length > 0) throw new Error(`expected one request to ${path}, got ${1 + more.length}`)
  return first
}

const answers: Record<string, (response: Parameters<RequestListener>[1], request: IncomingMessage) => void> = {
  '/cookie': response => response.setHeader('set-cookie', 'seat=12; Path=/').end('{}'),
  '/moved': response => response.writeHead(302, { location: '/arrived' }).end(),
  '/late': response => setTimeout(() => response.end('{}'), 400).unref(),
  '/stalls': response => response.writeHead(200, { 'content-length': 10 }).write('half'),
  '/packed': (response, { headers }) => {
    const packed = String(headers['accept-encoding']).includes('gzip')
    if (packed) response.setHeader('content-encoding', 'gzip')
    response.setHeader('content-type', 'application/json').end(packed ? gzipSync('{"packed":true}') : '{}')
  },
  '/large': response => response.end('x'.repeat(50_000)),
}

const listener: RequestListener = async (request, response) => {
  const { method = '', headers, socket } = request
  const url = new URL(request.url ?? '', 'http://any')
  seen.push({ method, url, headers, body: (await buffer(request)).toString('latin1'), port: socket.remotePort ?? 0 })
  const answer = answers[url.pathname]
  if (answer !== undefined) answer(response, request)
  else response.setHeader('content-type', 'application/json').end('{"ok":true}')
}

const server = createServer(listener)
let base: string

async function portOf(of: Server | Http2SecureServer): Promise<number> {
  of.listen(0, '127.0.0.1')
  await once(of, 'listening')
  const address = of.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

beforeAll(async () => {
  base = `http://127.0.0.1:${await portOf(server)}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen = []
})

const step = (url: string, more: object = {}): object => ({ type: 'http', name: url, url, ...more })
const once1 = [{ type: 'iterations', iterations: 1, users: 1 }]

async function session(steps: object[], more: object = {}, files: Record<string, string> = {}) {
  const { http = {}, ...rest } = more as { http?: object }
  const loaded = inline({
    http: { baseUrl: base, ...http },
    onFailure: 'continue',
    inject: once1,
    scenarios: [{ name: 'a', steps }],
    ...rest,
  })
  return run({ ...loaded, files }, { threads: 1 })
}

describe('what a step says gets to the wire', () => {
  test('methods, query, headers, auth and every kind of body', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'cv.txt')
    await writeFile(file, 'lines\nof text')
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
    const { summary } = await session(
      [
        ...methods.map(method => step(`/${method}`, { method })),
        step('/query', { query: { q: 'a b&c', tag: ['x', 'y'], n: '{{$._j.n}}' } }),
        step('/headers', { headers: { 'X-Own': 'v{{$._j.n}}', accept: 'text/plain' } }),
        step('/basic', { auth: { basic: { user: 'ada', password: '{{$._j.word}}' } } }),
        step('/bearer', { auth: { bearer: '{{$._j.word}}' } }),
        step('/json', { method: 'POST', body: { n: '{{$._j.n}}', text: 'n={{$._j.n}}', list: [true, null] } }),
        step('/text', { method: 'POST', body: 'plain {{$._j.n}}' }),
        step('/form', { method: 'POST', form: { name: 'Ada L', colour: ['red', '{{$._j.word}}'] } }),
        step('/multipart', {
          method: 'POST',
          multipart: [
            { name: 'title', value: 'n {{$._j.n}}' },
            { name: 'cv', file: 'cv.txt', filename: 'my.txt', contentType: 'text/x-cv' },
          ],
        }),
        step('/file', { method: 'POST', file: 'cv.txt' }),
        step('/bytes', { method: 'POST', bytes: Buffer.from([0, 1, 255]).toString('base64') }),
      ],
      { variables: { n: 7, word: 'p@ss' }, http: { headers: { 'x-all': 'yes', accept: 'application/json' } } },
      { 'cv.txt': file },
    )
    expect(errorsOf(summary.whole)).toEqual({})
    for (const method of methods) expect(only(`/${method}`).method).toBe(method)
    expect(only('/query').url.search).toBe('?q=a%20b%26c&tag=x&tag=y&n=7')
    expect(only('/headers').headers).toMatchObject({ 'x-own': 'v7', 'x-all': 'yes', accept: 'text/plain' })
    expect(only('/GET').headers).toMatchObject({ 'x-all': 'yes', accept: 'application/json' })
    expect(only('/basic').headers.authorization).toBe(`Basic ${btoa('ada:p@ss')}`)
    expect(only('/bearer').headers.authorization).toBe('Bearer p@ss')
    expect(only('/json')).toMatchObject({
      body: '{"n":7,"text":"n=7","list":[true,null]}',
      headers: { 'content-type': 'application/json' },
    })
    expect(only('/text')).toMatchObject({ body: 'plain 7', headers: { 'content-type': 'text/plain;charset=UTF-8' } })
    expect(only('/form')).toMatchObject({
      body: 'name=Ada+L&colour=red&colour=p%40ss',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const { headers, body } = only('/multipart')
    expect(headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/)
    expect(body).toContain('name="title"\r\n\r\nn 7\r\n')
    expect(body).toMatch(/name="cv"; filename="my.txt"\r\ncontent-type: text\/x-cv\r\n\r\nlines\nof text\r\n/i)
    expect(only('/file')).toMatchObject({ body: 'lines\nof text', headers: { 'content-length': '13' } })
    expect(only('/bytes').body).toBe('\x00\x01\xff')
  })

  test('cookies, redirects, compression, a body that is not kept, and all limits', async () => {
    const { summary } = await session([
      step('/cookie'),
      step('/with'),
      step('/without', { cookies: false }),
      step('/moved', { redirects: 0, assert: { '$.status': 302 } }),
      step('/packed', { compression: true, assert: { '$.entity.packed': true } }),
      step('/large', { discardBody: true, assert: { '$.entity': { $empty: true } } }),
      { ...step('/large', { maxBody: 1000 }), name: 'too large' },
      step('/stalls', { timeout: { body: '100ms' } }),
      { ...step('/late', { timeout: { headers: '100ms' } }), name: 'no headers' },
      { ...step('/late', { timeout: '150ms' }), name: 'no end' },
      { ...step('http://10.255.255.1:9/', { timeout: { connect: '100ms' } }), name: 'no connection' },
    ])
    expect(only('/with').headers.cookie).toBe('seat=12')
    expect(only('/without').headers.cookie).toBeUndefined()
    expect(under('/arrived')).toEqual([])
    expect(stepOf(summary, '/large').bytesIn).toBeGreaterThan(50_000)
    const failed = summary.steps.filter(({ ko }) => ko > 0).map(each => [each.step, errorsOf(each)])
    expect(Object.fromEntries(failed)).toMatchObject({
      'too large': { too_large: 1 },
      '/stalls': { timeout_body: 1 },
      'no headers': { timeout_headers: 1 },
      'no end': { timeout_total: 1 },
      'no connection': {},
    })
    expect(failed).toHaveLength(5)
  })

  test('cookies and connections are of one session, unless connections are shared', async () => {
    const sessions = (connections: string) =>
      session([step('/cookie?{{$._g.user}}'), step('/after?{{$._g.user}}', { connections })], {
        inject: [{ type: 'iterations', iterations: 6, users: 1 }],
      })
    await sessions('keep')
    expect(under('/after').map(({ headers }) => headers.cookie)).toEqual(Array.from({ length: 6 }, () => 'seat=12'))
    expect(under('/cookie').map(({ headers }) => headers.cookie)).toEqual(Array.from({ length: 6 }, () => undefined))
    expect(new Set(under('/after').map(({ port }) => port)).size).toBe(1)
    seen = []
    await sessions('per-session')
    expect(new Set(under('/after').map(({ port }) => port)).size).toBe(6)
  })
})

describe("the simulation's http gets to the wire", () => {
  test('maxConnections, per origin and thread', async () => {
    await session([step('/late')], {
      inject: [{ type: 'iterations', iterations: 6, users: 6 }],
      http: { maxConnections: 2 },
    })
    expect(under('/late')).toHaveLength(6)
    expect(new Set(under('/late').map(({ port }) => port)).size).toBe(2)
  })

  test('a proxy', async () => {
    const asked: string[] = []
    const proxy = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization']}`)
      const { 'proxy-authorization': _, ...headers } = request.headers
      const onward = requestHttp(request.url ?? '', { headers }, answer => answer.pipe(response.writeHead(200)))
      onward.end()
    })
    const port = await portOf(proxy)
    onTestFinished(() => {
      proxy.closeAllConnections()
      proxy.close()
    })
    const { summary } = await session([step('/through')], { http: { proxy: `http://ada:pw@127.0.0.1:${port}` } })
    expect(summary.whole.ok).toBe(1)
    expect(asked).toEqual([`${base}/through Basic ${btoa('ada:pw')}`])
    expect(under('/through')).toHaveLength(1)
  })

  test('an authority, a client certificate, names of our own and HTTP/2', async () => {
    const certificates = await makeCertificates()
    const clients: string[] = []
    const secure = createSecureServer(
      {
        key: certificates.read('server.key'),
        cert: certificates.read('server.pem'),
        ca: certificates.read('ca.pem'),
        requestCert: true,
        rejectUnauthorized: false,
        allowHTTP1: true,
      },
      (request, response) => {
        const { socket } = request.stream?.session ?? request
        clients.push(socket instanceof TLSSocket && socket.authorized ? 'known' : 'unknown')
        response.setHeader('x-version', request.httpVersion)
        response.end('{}')
      },
    )
    const port = await portOf(secure)
    onTestFinished(() => {
      secure.close()
      certificates[Symbol.dispose]()
    })
    const files = Object.fromEntries(certificates.files)
    const hosts = { 'shop.test': '127.0.0.1' }
    const url = `https://shop.test:${port}/`
    const asked = (version: string) => step(url, { assert: { '$.headers.x-version': version } })

    const trusted = { ca: 'ca.pem', cert: 'client.pem', key: 'client.key' }
    const known = await session([asked('2.0')], { http: { hosts, http2: true, tls: trusted } }, files)
    expect(errorsOf(known.summary.whole)).toEqual({})
    expect(known.summary.whole.tls?.count).toBe(1)
    const anyone = await session([asked('1.1')], { http: { hosts, tls: { insecure: true } } }, files)
    expect(errorsOf(anyone.summary.whole)).toEqual({})
    const refused = await session([asked('1.1')], { http: { hosts } }, files)
    expect(errorsOf(refused.summary.whole)).toEqual({ tls: 1 })
    expect(clients).toEqual(['known', 'unknown'])
    // Without the name's address nobody would have been found.
    const lost = await session([asked('1.1')], { http: { tls: { insecure: true } } }, files)
    expect(errorsOf(lost.summary.whole)).toEqual({ dns: 1 })
  })
})

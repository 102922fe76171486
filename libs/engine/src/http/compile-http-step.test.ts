import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { RenderError } from '@onrush/context/render-error'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerText, headersOf, httpBench, statuses } from './http-step.testing.ts'
import { ok, rawServer } from './raw-server.testing.ts'

let target: DemoTarget
let folder: string
beforeAll(async () => {
  target = await startDemoTarget()
  folder = await mkdtemp(join(tmpdir(), 'onrush-http-'))
  writeFileSync(join(folder, 'small.txt'), 'small file\n')
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(3_000_000, 'x'))
})
afterAll(async () => {
  await target.stop()
  await rm(folder, { recursive: true })
})

describe('where a request goes', () => {
  const at = (url: string, baseUrl?: string, more = {}) => {
    const bench = httpBench({
      http: baseUrl === undefined ? {} : { baseUrl },
      env: { shop: 'http://shop.test:81/v1', path: '/p' },
      variables: { id: 7, odd: 'a b/ü?#"\r\n', url: 'https://other.test/x?y=1', empty: '' },
    })
    const { origin, path } = bench.prepare({ url, ...more })
    return origin + path
  }
  const wild = { odd: '{{$._s.odd}}', list: [1, '{{$._s.id}}'], yes: true }

  test.each([
    ['an absolute URL stands for itself', 'http://a.test/x', undefined, 'http://a.test/x'],
    ['the port and case of an origin are normal', 'HTTP://A.test:80/X', undefined, 'http://a.test/X'],
    ['a URL without a path has one', 'http://a.test', undefined, 'http://a.test/'],
    ['a query can follow the host', 'http://a.test?x=1', undefined, 'http://a.test/?x=1'],
    ['a path continues the base', '/x', 'http://a.test', 'http://a.test/x'],
    ['and its path', '/x', 'http://a.test/v1/', 'http://a.test/v1/x'],
    ['with or without a slash', 'x', 'http://a.test/v1', 'http://a.test/v1/x'],
    ['a query continues the base', '?x=1', 'http://a.test/v1', 'http://a.test/v1?x=1'],
    ['an absolute URL has no base', 'http://b.test/x', 'http://a.test', 'http://b.test/x'],
    ['the base comes from the environment', '/x', '{{$._env.shop}}', 'http://shop.test:81/v1/x'],
    ['a path is rendered', '/items/{{$._s.id}}', '{{$._env.shop}}', 'http://shop.test:81/v1/items/7'],
    ['a whole URL is rendered', '{{$._s.url}}', 'http://a.test', 'https://other.test/x?y=1'],
    ['an empty value leaves the base', '{{$._s.empty}}', 'http://a.test/v1', 'http://a.test/v1'],
    ['what a path cannot hold is escaped', '/{{$._s.odd}}', 'http://a.test', 'http://a.test/a%20b/%C3%BC?'],
    ['whatever the base', '{{$._s.url}}&z={{$._s.odd}}', undefined, 'https://other.test/x?y=1&z=a%20b/%C3%BC?'],
    ['a fragment stays here', 'http://a.test/x?y#z', undefined, 'http://a.test/x?y'],
    ['no line break gets through', 'http://a.test/x\r\nhost: evil', undefined, 'http://a.test/x%0D%0Ahost:%20evil'],
  ])('%s', (_, url, baseUrl, expected) => {
    expect(at(url, baseUrl)).toBe(expected)
  })

  test('a query is encoded, its lists are repeated, and it follows one that is there', () => {
    const encoded = 'odd=a%20b%2F%C3%BC%3F%23%22%0D%0A&list=1&list=7&yes=true'
    expect(at('/x', 'http://a.test', { query: wild })).toBe(`http://a.test/x?${encoded}`)
    expect(at('/x?y=1#z', 'http://a.test', { query: wild })).toBe(`http://a.test/x?y=1&${encoded}`)
    expect(at('http://a.test/x', undefined, { query: { 'a b': 'ü', n: 1 } })).toBe('http://a.test/x?a%20b=%C3%BC&n=1')
    expect(at('{{$._s.url}}', undefined, { query: { n: '{{$._s.id}}' } })).toBe('https://other.test/x?y=1&n=7')
  })

  test('a name and password in a URL become a header', () => {
    const request = httpBench().prepare({ url: 'http://ada:s%20cret@a.test/x' })
    expect(request.origin).toBe('http://a.test')
    expect(headersOf(request).authorization).toBe(`Basic ${btoa('ada:s cret')}`)
  })

  test('what is rendered and is no URL fails the step before anything is sent; without its password', () => {
    const bench = httpBench({ variables: { host: 'ftp://u:secret@x' } })
    const { step } = bench.compile({ url: '{{$._s.host}}/x' })
    expect(() => step.prepare(bench.session)).toThrow(RenderError)
    expect(() => step.prepare(bench.session)).toThrow(/^(?!.*secret).*expected a URL like "http:\/\/host\/path"/)
  })

  test('a reference that finds nothing fails the step', () => {
    const bench = httpBench({ http: { baseUrl: 'http://a.test' } })
    const { step } = bench.compile({ url: '/{{$._s.nothing}}' })
    expect(() => step.prepare(bench.session)).toThrow(RenderError)
  })

  test('a variable that the environment lacks is a fault before the start', () => {
    const { faults } = httpBench({ http: { baseUrl: '{{$._env.nowhere}}' } }).compile({ url: '/x' })
    expect(faults.map(({ message }) => message).join()).toMatch('$._env.nowhere')
  })

  test('a base URL that the environment makes impossible is a fault before the start', () => {
    const { faults } = httpBench({ http: { baseUrl: 'https://{{$._env.path}}.test' }, env: { path: '/p' } }).compile({
      url: '/x',
    })
    expect(faults).toMatchObject([{ path: '$.it.url' }])
    expect(faults[0]?.message).toMatch('expected a URL like "http://host/path", got "https:///p.test/x"')
  })

  test('a step without references is the same request each time', () => {
    const bench = httpBench({ http: { baseUrl: '{{$._env.shop}}' }, env: { shop: 'http://a.test' } })
    const { step } = bench.compile({ url: '/x', method: 'POST', body: { a: 1 } })
    expect(step.prepare(bench.session)).toBe(step.prepare(bench.session))
    const called = bench.compile({ url: '/x/{{uuid()}}' }).step
    expect(called.prepare(bench.session).path).not.toBe(called.prepare(bench.session).path)
  })
})

describe('headers', () => {
  test("are the step's over the simulation's over what is always sent, whatever their case", () => {
    const bench = httpBench({
      http: { headers: { Accept: 'application/json', 'X-A': 'all', 'x-b': 'all' } },
      variables: { token: 't-1' },
    })
    const headers = headersOf(
      bench.prepare({ url: 'http://a.test', headers: { 'x-a': 'mine', Authorization: 'Bearer {{$._s.token}}' } }),
    )
    expect(headers).toEqual({
      Accept: 'application/json',
      'user-agent': 'onrush/test',
      'x-a': 'mine',
      'x-b': 'all',
      Authorization: 'Bearer t-1',
    })
  })

  test('auth becomes a header, and a header wins over it', () => {
    const bench = httpBench({ http: { auth: { bearer: 'all' } }, variables: { user: 'ada', password: 'ü' } })
    const sent = (more: object) => headersOf(bench.prepare({ url: 'http://a.test', ...more })).authorization
    expect(sent({})).toBe('Bearer all')
    const basic = { basic: { user: '{{$._s.user}}', password: '{{$._s.password}}' } }
    expect(sent({ auth: basic })).toBe(`Basic ${Buffer.from('ada:ü').toString('base64')}`)
    expect(sent({ auth: basic, headers: { authorization: 'mine' } })).toBe('mine')
  })

  test.each(['a\r\nx-evil: 1', 'a\nb', 'a\0b', 'snow ☃'])('a rendered %j is refused, and not shown', value => {
    const bench = httpBench({ variables: { value } })
    const { step } = bench.compile({ url: 'http://a.test', headers: { 'x-a': 'pre {{$._s.value}}' } })
    expect(() => step.prepare(bench.session)).toThrow(/^the header "x-a" was rendered with a line break/)
  })

  test('what frames the message cannot be set; a value that cannot be sent is found before the start', () => {
    const { faults } = httpBench().compile({
      url: 'http://a.test',
      headers: { 'Content-Length': '3', 'transfer-encoding': 'chunked', 'x-a': '☃' },
    })
    expect(faults.map(({ path }) => path)).toEqual([
      '$.it.headers.Content-Length',
      '$.it.headers.transfer-encoding',
      '$.it.headers.x-a',
    ])
  })
})

describe('bodies', () => {
  const echo = async (written: object, variables = {}, files = {}) => {
    await using bench = httpBench({ variables, files })
    const outcome = await bench.run({ url: `${target.url}/echo`, method: 'POST', ...written })
    expect(outcome.failure).toBeUndefined()
    return JSON.parse(answerText(outcome))
  }
  const type = ({ headers }: { headers: Record<string, string> }) => headers['content-type']

  test('JSON keeps types and escapes what it renders', async () => {
    const seen = await echo(
      { body: { a: '{{$._s.n}}', b: 'is "{{$._s.text}}"', c: ['{{$._s.map}}', null, 1.5] } },
      { n: 7, text: 'q"\n☃', map: { k: [1] } },
    )
    expect(type(seen)).toBe('application/json')
    expect(seen.body).toEqual({ a: 7, b: 'is "q"\n☃"', c: [{ k: [1] }, null, 1.5] })
  })

  test('text is sent as it is', async () => {
    const seen = await echo({ body: 'hällo {{$._s.n}}', headers: {} }, { n: 7 })
    expect([type(seen), seen.body]).toEqual(['text/plain;charset=UTF-8', 'hällo 7'])
  })

  test('the content type can be another one', async () => {
    const seen = await echo({ body: '{"a":1}', headers: { 'Content-Type': 'application/vnd.api+json' } })
    expect([type(seen), seen.body]).toEqual(['application/vnd.api+json', { a: 1 }])
  })

  test('a form', async () => {
    const seen = await echo({ form: { 'a b': '{{$._s.text}}', n: [1, 2], t: "x'()~!*" } }, { text: 'ü & =+' })
    expect(type(seen)).toBe('application/x-www-form-urlencoded')
    expect(seen.body).toBe(
      new URLSearchParams([
        ['a b', 'ü & =+'],
        ['n', '1'],
        ['n', '2'],
        ['t', "x'()~!*"],
      ]).toString(),
    )
  })

  test('bytes', async () => {
    const seen = await echo({ bytes: Buffer.from('raw').toString('base64') })
    expect([type(seen), seen.body]).toEqual(['application/octet-stream', 'raw'])
  })

  test('a file: a small one, and a large one twice', async () => {
    const files = { 'a.txt': join(folder, 'small.txt'), big: join(folder, 'large.bin') }
    expect((await echo({ file: 'a.txt', headers: { 'content-type': 'text/plain' } }, {}, files)).body).toBe(
      'small file\n',
    )
    for (let i = 0; i < 2; i++) {
      const seen = await echo({ file: 'big' }, {}, files)
      expect(seen.headers['content-length']).toBe('3000000')
      expect(seen.body).toBe('x'.repeat(3_000_000))
    }
  })

  test.each(['small.txt', 'large.bin'])('multipart with text and %s, as a server reads it', async name => {
    const files = { f: join(folder, name) }
    const seen = await echo(
      {
        multipart: [
          { name: 'who"\n', value: '{{$._s.who}}' },
          { name: 'n', value: 1, contentType: 'text/plain' },
          { name: 'file', file: 'f', filename: 'ü.txt' },
        ],
      },
      { who: 'ada ☃' },
      files,
    )
    // The platform's own reader of forms tells whether ours is one.
    const form = await new Response(seen.body, { headers: { 'content-type': type(seen) ?? '' } }).formData()
    expect(form.get('who"\n')).toBe('ada ☃')
    expect(form.get('n')).toBe('1')
    const file = form.get('file')
    if (!(file instanceof File)) expect.fail('expected a file')
    expect([file.name, file.type, file.size]).toEqual([
      'ü.txt',
      'application/octet-stream',
      name === 'small.txt' ? 11 : 3_000_000,
    ])
  })

  test('a file that is not there, or not among the files of the run, is a fault', () => {
    const bench = httpBench({ files: { gone: join(folder, 'gone') } })
    const at = { url: 'http://a.test' }
    expect(bench.compile({ ...at, file: 'gone' }).faults[0]).toMatchObject({ path: '$.it.file' })
    expect(bench.compile({ ...at, file: '/etc/passwd' }).faults[0]?.message).toMatch('no file "/etc/passwd"')
    expect(bench.compile({ ...at, file: '{{$._s.x}}' }).faults[0]?.message).toMatch('template')
    expect(bench.compile({ ...at, multipart: [{ name: 'x' }] }).faults[0]?.message).toMatch('"value" or "file"')
  })

  test('what was sent can be read back', async () => {
    await using bench = httpBench({ variables: { n: 7 } })
    const { request } = await bench.run({ url: `${target.url}/echo`, method: 'PUT', body: { n: '{{$._s.n}}' } })
    expect(request).toMatchObject({ method: 'PUT', url: `${target.url}/echo`, body: '{"n":7}' })
    expect(bench.session.context._req).toMatchObject({
      body: { n: 7 },
      headers: { 'content-type': 'application/json' },
    })
  })
})

describe('redirects', () => {
  const follow = async (path: string, more = {}, http = {}) => {
    await using bench = httpBench({ http })
    await target.resetStats()
    const outcome = await bench.run({ url: target.url + path, ...more })
    const { seen } = await target.stats()
    expect(outcome.hops.length + 1).toBe(seen)
    return outcome
  }

  test('are followed, and each one is told', async () => {
    const outcome = await follow('/redirect?n=3')
    expect(outcome).toMatchObject({ failure: undefined, answer: { status: 200 }, request: { method: 'GET' } })
    expect(statuses(outcome.hops)).toEqual([302, 302, 302])
    expect(outcome.request.url).toBe(`${target.url}/redirect?n=0`)
    expect(outcome.bytesIn).toBeGreaterThan(outcome.answer.bytesIn)
    expect(outcome.sentAt).toBe(outcome.hops[0]?.sentAt)
    expect(outcome.response?.time.request).toBeLessThanOrEqual(outcome.endedAt - outcome.sentAt + 1)
  })

  test('as many as allowed, and none when told so', async () => {
    expect(await follow('/redirect?n=3', { redirects: 3 })).toMatchObject({ failure: undefined })
    const tooMany = await follow('/redirect?n=4', { redirects: 3 })
    expect(tooMany).toMatchObject({ failure: { kind: 'too_many_redirects' }, answer: { status: 302 } })
    const none = await follow('/redirect?n=4', { redirects: 0 })
    expect(none).toMatchObject({ failure: undefined, answer: { status: 302 }, hops: [] })
    expect(await follow('/redirect?n=11')).toMatchObject({ failure: { kind: 'too_many_redirects' } })
  })

  test.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [302, 'PUT', 'PUT'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
  ] as const)('%d makes %s a %s', async (status, method, becomes) => {
    const outcome = await follow(`/redirect?n=1&status=${status}`, {
      method,
      ...(method === 'HEAD' ? {} : { body: 'x' }),
    })
    expect(outcome).toMatchObject({ failure: undefined, request: { method: becomes } })
    const keeps = becomes === method && method !== 'HEAD'
    expect(outcome.request.body).toBe(keeps ? 'x' : undefined)
    expect(Object.values(outcome.request.headers).includes('content-type')).toBe(keeps)
  })

  test('credentials go to the first origin only', async () => {
    await using elsewhere = await rawServer(socket => socket.write(ok('there')))
    await using first = await rawServer((socket, text) =>
      text.startsWith('GET /again')
        ? socket.write(ok('again'))
        : socket.write(
            `HTTP/1.1 302 Found\r\ncontent-length: 0\r\nlocation: ${text.includes('/home') ? '/again' : `${elsewhere.origin}/x`}\r\n\r\n`,
          ),
    )
    await using bench = httpBench()
    const headers = { authorization: 'Bearer s', cookie: 'a=1', 'x-a': 'b' }
    const away = await bench.run({ url: `${first.origin}/away`, headers })
    expect(answerText(away)).toBe('there')
    expect(elsewhere.received[0]).toMatch('x-a: b')
    expect(elsewhere.received[0]).not.toMatch(/authorization|cookie/)
    const home = await bench.run({ url: `${first.origin}/home`, headers })
    expect(answerText(home)).toBe('again')
    expect(first.received.join('').match(/authorization: Bearer s/g)).toHaveLength(3)
  })

  test.each(['ftp://x/y', 'http://', 'javascript:alert(1)'])('to %s lead nowhere', async location => {
    await using server = await rawServer(socket =>
      socket.write(`HTTP/1.1 302 Found\r\ncontent-length: 0\r\nlocation: ${location}\r\n\r\n`),
    )
    await using bench = httpBench()
    const outcome = await bench.run({ url: server.origin })
    expect(outcome).toMatchObject({ failure: { kind: 'malformed_response' }, answer: { status: 302 } })
  })

  test('share one time limit', async () => {
    await using server = await rawServer((socket, text) => {
      const n = Number(/GET \/(\d*)/.exec(text)?.[1] ?? 0)
      setTimeout(() => socket.write(`HTTP/1.1 302 Found\r\ncontent-length: 0\r\nlocation: /${n + 1}\r\n\r\n`), 60)
    })
    await using bench = httpBench()
    const outcome = await bench.run({ url: server.origin, redirects: 50, timeout: '300ms' })
    expect(outcome.failure?.kind).toBe('timeout_total')
    expect(outcome.hops.length).toBeLessThan(10)
  })
})

describe('cookies', () => {
  test('are kept for the session, and its next requests carry them', async () => {
    await using bench = httpBench()
    const url = `${target.url}/set-cookie`
    expect(bench.session.cookies).toBeUndefined()
    expect(JSON.parse(answerText(await bench.run({ url })))).toEqual({ cookies: {} })
    const seen = { cookies: { session: 's-1', theme: 'dark' } }
    expect(JSON.parse(answerText(await bench.run({ url })))).toEqual(seen)
    expect(JSON.parse(answerText(await bench.run({ url, headers: { Cookie: 'mine=1' } })))).toEqual({
      cookies: { mine: '1', ...seen.cookies },
    })
    const off = await bench.run({ url, cookies: false })
    expect(JSON.parse(answerText(off))).toEqual({ cookies: {} })
  })

  test('set on the way are there at the next hop, once', async () => {
    await using server = await rawServer((socket, text) =>
      text.startsWith('GET /start')
        ? socket.write('HTTP/1.1 302 Found\r\ncontent-length: 0\r\nset-cookie: a=1\r\nlocation: /mid\r\n\r\n')
        : text.startsWith('GET /mid')
          ? socket.write(
              'HTTP/1.1 302 Found\r\ncontent-length: 0\r\nset-cookie: b=2; Path=/end\r\nlocation: /end\r\n\r\n',
            )
          : socket.write(ok('end')),
    )
    await using bench = httpBench()
    await bench.run({ url: `${server.origin}/start` })
    const sent = server.received.join('').match(/^(?:GET|cookie).*$/gm)
    expect(sent).toEqual([
      'GET /start HTTP/1.1',
      'GET /mid HTTP/1.1',
      'cookie: a=1',
      'GET /end HTTP/1.1',
      'cookie: b=2; a=1',
    ])
  })
})

describe('compression', () => {
  const text = 'all work and no play '.repeat(500)
  const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
  const serve = (encoding: string, body: Uint8Array) =>
    rawServer(socket => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`)
      socket.write(body)
    })

  test.each(Object.entries(encoders))('%s is asked for and decoded', async (encoding, encode) => {
    await using server = await serve(encoding, encode(text))
    await using bench = httpBench()
    const outcome = await bench.run({ url: server.origin, compression: true })
    expect(answerText(outcome)).toBe(text)
    expect(outcome.bytesIn).toBeLessThan(text.length)
    expect(server.received[0]).toMatch('accept-encoding: gzip, deflate, br')
  })

  test('deflate without its header, several encodings, and large ones', async () => {
    const large = randomBytes(400_000)
    for (const [encoding, body, expected] of [
      ['deflate', deflateRawSync(text), text],
      ['gzip, br', brotliCompressSync(gzipSync(text)), text],
      ['gzip', gzipSync(large), large.toString()],
    ] as const) {
      await using server = await serve(encoding, body)
      await using bench = httpBench()
      expect(answerText(await bench.run({ url: server.origin, compression: true }))).toBe(expected)
    }
  })

  test('what comes out is bounded too, small or large', async () => {
    for (const size of [1_000_000, 200_000_000]) {
      await using server = await serve('gzip', gzipSync(Buffer.alloc(size)))
      await using bench = httpBench()
      const outcome = await bench.run({ url: server.origin, compression: true, maxBody: 500_000 })
      expect(outcome).toMatchObject({ failure: { kind: 'too_large' }, answer: { status: 200 } })
    }
  })

  test.each([
    ['gzip', 'not gzip'],
    ['zip', 'unknown'],
    ['gzip, gzip, gzip', 'a bomb'],
  ])('%s that holds %s is malformed', async (encoding, body) => {
    await using server = await serve(encoding, Buffer.from(body))
    await using bench = httpBench()
    const outcome = await bench.run({ url: server.origin, compression: true })
    expect(outcome.failure?.kind).toBe('malformed_response')
  })

  test('nothing is asked for or decoded unless told to', async () => {
    await using server = await serve('gzip', gzipSync(text))
    await using bench = httpBench()
    const outcome = await bench.run({ url: server.origin })
    expect(Buffer.from(outcome.response?.body ?? '')).toEqual(gzipSync(text))
    expect(server.received[0]).not.toMatch('accept-encoding')
  })
})

describe('limits', () => {
  test("a step's timeouts lie over the simulation's, those over the defaults", () => {
    const bench = httpBench({ http: { timeout: { headers: '5s', body: '6s' } } })
    const url = 'http://a.test'
    expect(bench.prepare({ url }).timeouts).toEqual({ connect: 10_000, headers: 5000, body: 6000, total: 120_000 })
    expect(bench.prepare({ url, timeout: '1s' }).timeouts).toMatchObject({ headers: 5000, total: 1000 })
    expect(bench.prepare({ url, timeout: { connect: { value: 2, unit: 'second' }, headers: '1s' } }).timeouts).toEqual({
      connect: 2000,
      headers: 1000,
      body: 6000,
      total: 120_000,
    })
  })

  test('a session keeps connections of its own when told to', () => {
    const bench = httpBench({ http: { connections: 'per-session' } })
    const { step } = bench.compile({ url: 'http://a.test' })
    const { connections } = step.prepare(bench.session)
    expect(connections).toEqual({ session: 1 })
    expect(step.prepare(bench.session).connections).toBe(connections)
    expect(bench.prepare({ url: 'http://a.test', connections: 'keep' }).connections).toBeUndefined()
  })
})

import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AuthVariables, authenticate } from './authenticate.ts'
import { bindAddress } from './bind-address.ts'
import { hostCheck, hostName } from './host-check.ts'
import { jsonBody } from './json-body.ts'
import { jsonLog } from './log.ts'
import { noHead } from './method-guard.ts'
import { problems } from './problems.ts'
import { sameSite } from './same-site.ts'
import { tokensOf } from './tokens.ts'

const Body = z.strictObject({ a: z.int(), b: z.string() })
const acts = (method: string, path: string) => path === '/start' || !['GET', 'HEAD'].includes(method)

function appOf(tokens = tokensOf({ operator: 'op', viewer: 'view', node: 'secret' })) {
  const lines: string[] = []
  const { onError, notFound } = problems(
    jsonLog(
      line => lines.push(line),
      () => new Date(0),
    ),
  )
  const app = new Hono<{ Variables: AuthVariables }>()
  app.onError(onError)
  app.notFound(notFound)
  app.use(hostCheck(['reporter.test']))
  app.use(noHead(['/start']))
  app.use(
    authenticate(tokens, {
      needed: (method, path) =>
        path === '/healthz' ? 'anyone' : path === '/node' ? 'node' : acts(method, path) ? 'operator' : 'viewer',
      acts,
    }),
  )
  app.use(sameSite(acts))
  app.get('/healthz', c => c.text('ok'))
  app.get('/read', c => c.json({ role: c.get('role') }))
  app.get('/node', c => c.json({ role: c.get('role') }))
  app.get('/start', c => c.json({ started: true }))
  app.post('/body', async c => c.json((await jsonBody(c, Body, 100)).value))
  app.get('/broken', () => {
    throw new Error('a detail nobody outside should read')
  })
  const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    app.request(path, { ...init, headers: { host: '127.0.0.1:7070', ...init.headers } })
  return { ask, lines }
}
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('who may do what', () => {
  it.each([
    ['no token', '/read', {}, 401],
    ['a wrong token', '/read', as('nope'), 401],
    ['a viewer who reads', '/read', as('view'), 200],
    ['a viewer who starts', '/start', as('view'), 403],
    ['an operator who starts', '/start', as('op'), 200],
    ['an operator who plays a node', '/node', as('op'), 403],
    ['a node', '/node', as('secret'), 200],
    ['nobody on an open route', '/healthz', {}, 200],
  ])('%s', async (_, path, init, status) => {
    expect((await appOf().ask(path, init)).status).toBe(status)
  })

  it('everybody is an operator where no token is set', async () => {
    const { ask } = appOf(tokensOf({}))
    expect(await (await ask('/read')).json()).toEqual({ role: 'operator' })
  })
})

describe("other sites' pages", () => {
  const start = (headers: Record<string, string>) =>
    appOf().ask('/start', { headers: { ...as('op').headers, ...headers } })
  it.each([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['same-site', { 'sec-fetch-site': 'same-site' }],
    ['a foreign origin', { origin: 'https://evil.test' }],
    ['an opaque origin', { origin: 'null' }],
    ['a prefetch', { 'sec-purpose': 'prefetch;prerender' }],
  ])('cannot start anything: %s', async (_, headers) => {
    expect((await start(headers)).status).toBe(403)
  })

  it('can be ours', async () => {
    expect((await start({ 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:7070' })).status).toBe(200)
  })
})

it('HEAD never runs a GET that does something', async () => {
  const answer = await appOf().ask('/start', { method: 'HEAD', ...as('op') })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET'])
})

it.each([
  ['evil.test', 403],
  ['reporter.test:7070', 200],
  ['localhost:7070', 200],
  ['[::1]:7070', 200],
  ['127.0.0.1', 200],
  ['127.0.0.1.evil.test', 403],
])('answers to the name %s with %d', async (host, status) => {
  expect((await appOf().ask('/healthz', { headers: { host } })).status).toBe(status)
})

it('finds no name in what is no host', () => {
  expect(['a b', 'a/b', 'user@host', '', '[::1'].map(hostName)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

describe('a JSON body', () => {
  const post = (body: string, type = 'application/json') =>
    appOf().ask('/body', { method: 'POST', body, headers: { ...as('op').headers, 'content-type': type } })

  it('is read', async () => {
    expect(await (await post('{"a":1,"b":"x"}')).json()).toEqual({ a: 1, b: 'x' })
  })
  it.each([
    ['not JSON', '{', 'application/json', 400, 'malformed'],
    ['of a type any page may post', '{"a":1,"b":"x"}', 'text/plain', 400, 'malformed'],
    ['too large', `{"b":"${'x'.repeat(200)}"}`, 'application/json', 413, 'too_large'],
  ])('is refused where it is %s', async (_, body, type, status, code) => {
    const answer = await post(body, type)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ code })])
  })
  it('is refused with every problem at once', async () => {
    const answer = await post('{"a":"x","c":1}')
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ errors: [{ path: '$.a' }, { path: '$.b' }, { path: '$.c' }] })
  })
})

it('tells the log what broke, and the client only that it did', async () => {
  const { ask, lines } = appOf()
  const answer = await ask('/broken', as('op'))
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('a detail')
  expect(lines.join('')).toContain('a detail nobody outside should read')
})

it('an unknown path is a problem like any other', async () => {
  expect(await (await appOf().ask('/nowhere', as('op'))).json()).toMatchObject({ status: 404, code: 'not_found' })
})

it('listens beyond loopback only with a token', () => {
  expect(bindAddress(undefined, false)).toBe('127.0.0.1')
  expect(bindAddress('0.0.0.0', true)).toBe('0.0.0.0')
  expect(() => bindAddress('0.0.0.0', false)).toThrow('without a token')
  expect(() => bindAddress('127.0.0.1.evil.test', false)).toThrow('without a token')
})

it('writes no secret into the log', () => {
  const lines: string[] = []
  const log = jsonLog(
    line => lines.push(line),
    () => new Date(0),
  )
  log('info', 'asked with Bearer abc.def', {
    authorization: 'x',
    url: 'redis://user:hunter2@host/0',
    apiKey: 'k',
    error: new Error('Basic dXNlcjpwYXNz'),
  })
  expect(lines[0]).not.toMatch(/abc\.def|hunter2|"k"|dXNlcjpwYXNz/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', authorization: '…' })
})

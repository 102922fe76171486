import { mkdtempSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AuditLog } from './audit.ts'
import { guardedApp } from './guarded-app.ts'
import { localPath } from './local-path.ts'
import { parseTokens } from './token-file.ts'
import { digestOf, tokensOf } from './tokens.ts'

const quiet = () => {}

function appOf({ startsPerMinute = 600, openMetrics = false, free = false } = {}) {
  const file = join(mkdtempSync(join(tmpdir(), 'onrush-guard-')), 'audit.ndjson')
  const lines = ['ada operator', 'bob viewer'].map(
    each => `${each} sha256:${digestOf(`${each.split(' ')[0]}-token`).toString('hex')}`,
  )
  const named = parseTokens(lines.join('\n'), 'tokens')
  const tokens = tokensOf(free ? { node: 'secret' } : { named: () => named, node: 'secret' })
  const audit = new AuditLog(file, 'node-1', () => new Date(0), quiet)
  const guard = { tokens, key: 'key', hosts: ['reporter.test'], openMetrics, startsPerMinute, audit, log: quiet }
  const app = guardedApp(guard, {
    actingGets: ['/api/single'],
    starts: ['GET /api/single', 'POST /api/single'],
    isPublic: path => path === '/style.css',
  })
  app.all('*', c => c.json({ runId: 'a-run', who: c.get('identity') }, 202))
  const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    app.request(`http://reporter.test${path}`, { ...init, headers: { host: 'reporter.test', ...headers } })
  const post = (path: string, headers: Record<string, string> = {}, body = '{}') =>
    ask(path, { 'content-type': 'application/json', ...headers }, { method: 'POST', body })
  const bearer = (name: string) => ({ authorization: `Bearer ${name}-token` })
  const login = async (name: string) => {
    const answer = await post('/api/login', {}, JSON.stringify({ token: `${name}-token` }))
    return { answer, cookie: { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' } }
  }
  const audited = async () =>
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
  return { ask, post, bearer, login, audited }
}

const page = { accept: 'text/html,application/xhtml+xml' }

describe('every route, whoever adds it', () => {
  it('wants a token, and an operator’s where it acts', async () => {
    const { ask, post, bearer } = appOf()
    expect((await ask('/new')).status).toBe(401)
    expect((await ask('/new', { authorization: 'Bearer nope' })).status).toBe(401)
    expect((await ask('/new', bearer('bob'))).status).toBe(202)
    expect((await post('/new', bearer('bob'))).status).toBe(403)
    expect((await post('/new', bearer('ada'))).status).toBe(202)
    expect((await ask('/api/single', bearer('bob'))).status).toBe(403)
    expect((await ask('/api/single', bearer('ada'))).status).toBe(202)
    expect((await ask('/style.css')).status).toBe(202)
    expect((await post('/style.css')).status).toBe(401)
    expect((await ask('/healthz')).status).toBe(202)
  })

  it('answers to known names only, carries the headers, and hides the metrics unless it is told not to', async () => {
    const { ask, bearer } = appOf()
    expect((await ask('/new', { ...bearer('ada'), host: 'evil.test' })).status).toBe(403)
    const answer = await ask('/new')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await ask('/metrics')).status).toBe(401)
    expect((await appOf({ openMetrics: true }).ask('/metrics')).status).toBe(202)
  })

  it('needs no token where none is set, and is deaf to other sites all the same', async () => {
    const { ask, post } = appOf({ free: true })
    expect((await post('/new')).status).toBe(202)
    const others: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://evil.test' },
      { 'sec-purpose': 'prefetch' },
    ]
    for (const other of others) {
      expect((await ask('/api/single', other)).status).toBe(403)
      expect((await post('/new', other)).status).toBe(403)
      expect((await ask('/new', { ...other, upgrade: 'websocket' })).status).toBe(403)
    }
  })

  it('starts no more than it may', async () => {
    const { post, bearer } = appOf({ startsPerMinute: 6 })
    expect((await post('/api/single', bearer('ada'))).status).toBe(202)
    const second = await post('/api/single', bearer('ada'))
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10'])
    expect((await post('/other', bearer('ada'))).status).toBe(202)
    expect((await post('/api/single', { authorization: 'Bearer secret' })).status).toBe(202)
  })
})

describe('a login', () => {
  it('gives a cookie with the token’s role, which acts by POST and never by GET', async () => {
    const { ask, post, login } = appOf()
    const { answer, cookie } = await login('ada')
    expect(await answer.json()).toEqual({ name: 'ada', role: 'operator', via: 'cookie' })
    expect(answer.headers.get('set-cookie')).toMatch(/^onrush_session=.*; HttpOnly; SameSite=Lax$/)
    expect(await (await ask('/api/session', cookie)).json()).toEqual({ name: 'ada', role: 'operator', via: 'cookie' })
    expect((await post('/new', cookie)).status).toBe(202)
    expect((await ask('/api/single', cookie)).status).toBe(401)
    const out = await post('/api/logout', cookie)
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')])
  })

  it('of a viewer reads, and gets tickets that read', async () => {
    const { ask, post, login } = appOf()
    const { cookie } = await login('bob')
    expect((await post('/new', cookie)).status).toBe(403)
    const { ticket } = (await (await post('/api/ticket', cookie)).json()) as { ticket: string }
    const opened = await ask(`/api/job/x/monitor?ticket=${ticket}`, { upgrade: 'websocket' })
    expect(await opened.json()).toMatchObject({ who: { name: 'bob', role: 'viewer', via: 'ticket' } })
    expect((await ask(`/api/job/x/monitor?ticket=${ticket}`, { upgrade: 'websocket' })).status).toBe(401)
  })

  it('is tried a few times, and then no more for a while', async () => {
    const { post } = appOf()
    const tried: number[] = []
    for (let i = 0; i < 7; i++) tried.push((await post('/api/login', {}, '{"token":"guess"}')).status)
    expect(tried).toEqual([401, 401, 401, 401, 401, 429, 429])
    const people = appOf()
    for (let i = 0; i < 20; i++) expect((await people.login('ada')).answer.status).toBe(200)
  })

  it('asks a browser for it, and leads back to where it wanted to go', async () => {
    const { ask } = appOf()
    const asked = await ask('/report/a-run?x=1', page)
    expect([asked.status, asked.headers.get('location')]).toEqual([302, '/login?to=%2Freport%2Fa-run%3Fx%3D1'])
    expect(await (await ask('/login?to=/report/a-run', page)).text()).toContain('value="/report/a-run"')
    const form = (token: string, to: string) =>
      ask('/login', page, { method: 'POST', body: new URLSearchParams({ token, to }) })
    const wrong = await form('nope', '/report/a-run')
    expect(wrong.status).toBe(401)
    expect(await wrong.text()).toContain('role="alert"')
    const right = await form('ada-token', '/report/a-run')
    expect([right.status, right.headers.get('location')]).toEqual([303, '/report/a-run'])
    expect(right.headers.get('set-cookie')).toContain('HttpOnly')
    expect((await form('ada-token', '//evil.test')).headers.get('location')).toBe('/')
    const other = { ...page, origin: 'http://evil.test' }
    expect((await ask('/login', other, { method: 'POST', body: 'token=ada-token' })).status).toBe(403)
  })
})

it('leads back to paths of ours alone', () => {
  const elsewhere = [
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    'http://evil.test',
    'javascript:alert(1)',
    '/.//evil.test',
    '\\\\evil.test',
    '',
    undefined,
  ]
  expect(elsewhere.map(localPath)).toEqual(elsewhere.map(() => '/'))
  expect(localPath('/report/a?b=c#d')).toBe('/report/a?b=c#d')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const to = localPath(`/${text}`)
      expect(new URL(to, 'http://here.test').origin).toBe('http://here.test')
    }),
  )
})

it('writes down what was done and what was refused, by whom, with the run, without a secret', async () => {
  const { ask, post, bearer, login, audited } = appOf()
  await login('ada')
  await post('/api/login', {}, '{"token":"a-wrong-guess"}')
  await post('/api/stop', bearer('ada'))
  await post('/api/stop', bearer('bob'))
  await post('/api/stop')
  await ask('/api/single?url=http://u:p@x/', bearer('ada'))
  await ask('/api/jobs', bearer('bob'))
  const lines = await audited()
  expect(lines.map(({ who, action, outcome, run }) => [who, action, outcome, run])).toEqual([
    ['ada', 'login', 'done', undefined],
    ['nobody', 'login', 'refused', undefined],
    ['ada', 'POST /api/stop', 'done', 'a-run'],
    ['bob', 'POST /api/stop', 'refused', undefined],
    ['nobody', 'POST /api/stop', 'refused', undefined],
    ['ada', 'GET /api/single', 'done', 'a-run'],
  ])
  expect(JSON.stringify(lines)).not.toMatch(/token"|guess|u:p/)
})

it('a flood of refusals fills no disk', async () => {
  const { post, bearer, audited } = appOf()
  for (let i = 0; i < 200; i++) await post('/api/stop')
  await post('/api/stop', bearer('ada'))
  const lines = await audited()
  expect(lines.length).toBeLessThan(30)
  expect(lines.at(-1)).toMatchObject({
    who: 'ada',
    detail: expect.stringContaining('refused requests before this one'),
  })
})

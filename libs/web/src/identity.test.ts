import { mkdtempSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { AuditLog } from './audit.ts'
import { type AuthVariables, authenticate } from './authenticate.ts'
import { problems } from './problems.ts'
import { RateLimit } from './rate-limit.ts'
import { contentPolicy, queuePolicy, securityHeaders } from './security-headers.ts'
import { Sessions } from './sessions.ts'
import { Signer } from './signed.ts'
import { Tickets } from './tickets.ts'
import { parseTokens, TokenFile } from './token-file.ts'
import { digestOf, tokensOf } from './tokens.ts'

const quiet = () => {}
const lineOf = (name: string, role: string, token: string, expires = '') =>
  `${name} ${role} sha256:${digestOf(token).toString('hex')} ${expires}`

describe('tokens of a file', () => {
  it('are known by name, role and digest, until they expire', () => {
    const text = `# people\n\n${lineOf('ada', 'operator', 'a1')}\n${lineOf('bob', 'viewer', 'b1', '2026-01-01T00:00:00Z')}\n`
    const named = parseTokens(text, 'tokens')
    const before = tokensOf({ named: () => named }, () => Date.parse('2025-12-31'))
    expect([before.holderOf('a1'), before.holderOf('b1'), before.holderOf('c1')]).toEqual([
      { name: 'ada', role: 'operator' },
      { name: 'bob', role: 'viewer' },
      undefined,
    ])
    expect(tokensOf({ named: () => named }, () => Date.parse('2026-01-02')).holderOf('b1')).toBeUndefined()
  })

  it('are refused with the line, and without what stands there: it may be a token', () => {
    const wrong = `ada operator hunter2\nbob admin sha256:${'0'.repeat(64)}\n${lineOf('eve', 'viewer', 'e', 'soon')}`
    expect(() => parseTokens(wrong, 'tokens')).toThrow(
      expect.objectContaining({ errors: [1, 2, 3].map(n => expect.objectContaining({ path: `tokens:${n}` })) }),
    )
    expect(() => parseTokens(wrong, 'tokens')).not.toThrow('hunter2')
  })

  it('are read again when the file changes, and stay in force when it breaks', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'onrush-tokens-')), 'tokens')
    let now = 0
    writeFileSync(file, lineOf('ada', 'operator', 'old'))
    const tokenFile = new TokenFile(file, quiet, () => now)
    const tokens = tokensOf({ named: () => tokenFile.tokens })
    writeFileSync(file, `${lineOf('ada', 'operator', 'old')}\n${lineOf('ada', 'operator', 'new')}`)
    now += 5_000
    expect([tokens.holderOf('old')?.name, tokens.holderOf('new')?.name]).toEqual(['ada', 'ada'])
    writeFileSync(file, 'nonsense that is longer than before, so that its size differs')
    now += 5_000
    expect(tokens.holderOf('new')?.name).toBe('ada')
  })
})

describe('what we sign', () => {
  it('comes back as it was', () => {
    const signer = new Signer('key', 'session')
    fc.assert(
      fc.property(fc.jsonValue(), fact => {
        expect(signer.read(signer.sign(fact))).toEqual(JSON.parse(JSON.stringify(fact)))
      }),
    )
  })

  it('is believed neither changed, nor from another key, nor for another purpose', () => {
    const signed = new Signer('key', 'session').sign({ role: 'viewer' })
    const [body, signature] = signed.split('.')
    const forged = `${Buffer.from('{"role":"operator"}').toString('base64url')}.${signature}`
    const reader = new Signer('key', 'session')
    expect([forged, `${body}.`, `${body}`, '', '..', `${signed}.x`].map(each => reader.read(each))).toEqual(
      Array(6).fill(undefined),
    )
    expect(new Signer('other', 'session').read(signed)).toBeUndefined()
    expect(new Signer('key', 'ticket').read(signed)).toBeUndefined()
  })

  it('never makes the reader throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => new Signer('key', 'session').read(text) === undefined))
  })
})

function appOf() {
  let now = 0
  let named = parseTokens(`${lineOf('ada', 'operator', 'a1')}\n${lineOf('bob', 'viewer', 'b1')}`, 'tokens')
  const tokens = tokensOf({ named: () => named, node: 'secret' }, () => now)
  const sessions = new Sessions('key', tokens, () => now)
  const tickets = new Tickets('key', tokens, () => now)
  const acts = (method: string, path: string) => path === '/start' || method === 'POST'
  const app = new Hono<{ Variables: AuthVariables }>()
  app.onError(problems(quiet).onError)
  app.use(
    authenticate(tokens, {
      needed: (method, path) => (acts(method, path) ? 'operator' : 'viewer'),
      acts,
      sessions,
      tickets,
    }),
  )
  app.all('*', c => c.json(c.get('identity')))
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await app.request(path, { method, headers })
    return answer.ok ? ((await answer.json()) as unknown) : answer.status
  }
  const cookieOf = (token: string) => ({ cookie: sessions.open(token, false)?.cookie.split(';')[0] ?? '' })
  return {
    ask,
    cookieOf,
    sessions,
    tickets,
    wait: (ms: number) => {
      now += ms
    },
    revoke: () => {
      named = []
    },
  }
}

describe('a login', () => {
  it('reads with a cookie, and acts with it by POST', async () => {
    const { ask, cookieOf } = appOf()
    expect(await ask('/read', cookieOf('b1'))).toEqual({ name: 'bob', role: 'viewer', via: 'cookie' })
    expect(await ask('/act', cookieOf('a1'), 'POST')).toMatchObject({ name: 'ada', via: 'cookie' })
    expect(await ask('/act', cookieOf('b1'), 'POST')).toBe(403)
  })

  it('never starts anything by a GET: a link is a GET', async () => {
    const { ask, cookieOf } = appOf()
    expect(await ask('/start', cookieOf('a1'))).toBe(401)
    expect(await ask('/start', { authorization: 'Bearer a1' })).toMatchObject({ name: 'ada', via: 'bearer' })
  })

  it('ends with its time, and with the token it was opened with', async () => {
    const late = appOf()
    const cookie = late.cookieOf('b1')
    late.wait(12 * 3_600_000)
    expect(await late.ask('/read', cookie)).toBe(401)
    const revoked = appOf()
    const other = revoked.cookieOf('b1')
    revoked.revoke()
    expect(await revoked.ask('/read', other)).toBe(401)
  })

  it('is not for strangers, nor for nodes, and its cookie is out of reach of scripts', () => {
    const { sessions } = appOf()
    expect([sessions.open('nope', true), sessions.open('secret', true)]).toEqual([undefined, undefined])
    expect(sessions.open('a1', true)?.cookie).toMatch(/; HttpOnly; SameSite=Lax; Secure$/)
    expect(sessions.close(false)).toContain('Max-Age=0')
  })

  it('a wrong bearer is not made good by a cookie', async () => {
    const { ask, cookieOf } = appOf()
    expect(await ask('/read', { ...cookieOf('a1'), authorization: 'Bearer nope' })).toBe(401)
  })
})

describe('a ticket', () => {
  const upgrade = { upgrade: 'websocket' }
  it('opens one websocket, within half a minute, and nothing else', async () => {
    const { ask, tickets, wait } = appOf()
    const { ticket } = tickets.issue({ name: 'bob', role: 'viewer' })
    expect(await ask(`/read?ticket=${ticket}`)).toBe(401)
    expect(await ask(`/read?ticket=${ticket}`, upgrade)).toMatchObject({ name: 'bob', via: 'ticket' })
    expect(await ask(`/read?ticket=${ticket}`, upgrade)).toBe(401)
    const late = tickets.issue({ name: 'bob', role: 'viewer' }).ticket
    wait(30_000)
    expect(await ask(`/read?ticket=${late}`, upgrade)).toBe(401)
  })

  it('is worth no more than who asked for it', async () => {
    const { ask, tickets, revoke } = appOf()
    expect(await ask(`/start?ticket=${tickets.issue({ name: 'ada', role: 'operator' }).ticket}`, upgrade)).toBe(401)
    const kept = tickets.issue({ name: 'bob', role: 'viewer' }).ticket
    revoke()
    expect(await ask(`/read?ticket=${kept}`, upgrade)).toBe(401)
  })
})

describe('a rate limit', () => {
  it('lets a burst through, then so many a second, for each key by itself', () => {
    let now = 0
    const limit = new RateLimit({ burst: 3, perSecond: 2 }, () => now)
    expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([true, true, true, false])
    expect(limit.take('b')).toBe(true)
    expect(limit.waitFor('a')).toBe(1)
    now = 500
    expect([limit.take('a'), limit.take('a')]).toEqual([true, false])
  })

  it('never lets more through than burst and rate allow', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 })
    fc.assert(
      fc.property(gaps, waits => {
        let now = 0
        const limit = new RateLimit({ burst: 5, perSecond: 3 }, () => now)
        const taken = waits.filter(wait => {
          now += wait
          return limit.take('a')
        }).length
        return taken <= 5 + (now / 1000) * 3
      }),
    )
  })

  it('remembers a bounded number of keys', () => {
    const limit = new RateLimit({ burst: 1, perSecond: 1, mostKeys: 2 }, () => 0)
    expect(['a', 'b', 'c', 'c', 'a'].map(key => limit.take(key))).toEqual([true, true, true, false, true])
  })
})

it('the audit log holds one line for each deed, in order, without secrets', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'onrush-audit-')), 'deep', 'audit.ndjson')
  const audit = new AuditLog(file, 'node-1', () => new Date(0), quiet)
  await Promise.all([
    audit.write({ who: 'ada', from: '::1', action: 'start', run: 'a', detail: 'http://u:p@host/', outcome: 'done' }),
    audit.write({ who: 'bob', from: '::1', action: 'stop', run: 'a', outcome: 'refused' }),
  ])
  const lines = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)
  expect(lines.map(({ who, action, detail }) => [who, action, detail])).toEqual([
    ['ada', 'start', 'http://…@host/'],
    ['bob', 'stop', undefined],
  ])
})

it('our pages run our scripts alone; those of the queue dashboard run there alone', async () => {
  const app = new Hono()
  app.use(securityHeaders(path => (path.startsWith('/queues') ? queuePolicy : contentPolicy(['sha256-abc']))))
  app.get('*', c => c.html('<p>here</p>'))
  const page = (await app.request('/')).headers
  expect(page.get('content-security-policy')).toContain("script-src 'self' 'sha256-abc';")
  expect(page.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/)
  expect([page.get('x-frame-options'), page.get('x-content-type-options'), page.get('cache-control')]).toEqual([
    'DENY',
    'nosniff',
    'no-store',
  ])
  const queues = (await app.request('/queues')).headers
  expect(queues.get('content-security-policy')).toContain("script-src 'self' 'unsafe-inline'")
  expect(queues.get('x-frame-options')).toBe('SAMEORIGIN')
})

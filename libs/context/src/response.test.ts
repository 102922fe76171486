import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answered, begun, jsonResponse, time } from './begun.fixture.ts'

const given = {
  environment: { shop: 'http://shop', password: 's3cret', keys: { api: 'k-123456' }, pin: 4711 },
  secrets: ['password', 'keys', 'pin'],
  variables: { login: 'ann:{{$._env.password}}' },
  imports: { user: 'ann', n: 7, list: [1], braces: '{{$._env.shop}}', whole: { a: '{{$._s.user}}' } },
}

test.each([
  [{ a: 'x {{$._s.user}} y' }, { a: 'x ann y' }],
  [
    { a: '{{$._s.n}}', b: ['{{ $._s.list }}', 'l={{$._s.list}}'] },
    { a: 7, b: [[1], 'l=[1]'] },
  ],
  [{ a: '{{$._s.gone}} {{$._s.user}}' }, { a: '{{$._s.gone}} ann' }],
  [{ a: "{{uuid()}} {{upper($._s.user)}} {{'x'}}" }, { a: "{{uuid()}} {{upper($._s.user)}} {{'x'}}" }],
  [{ a: "{{$._s.gone ?? 'x'}}" }, { a: "{{$._s.gone ?? 'x'}}" }],
  [{ a: '{{$..user}} {{$._s.*}} {{$._s[?(@.x)]}}' }, { a: '{{$..user}} {{$._s.*}} {{$._s[?(@.x)]}}' }],
  [{ a: '{{{$._s.user}}}' }, { a: '{ann}' }],
  [{ a: '{{ {{$._s.user}}' }, { a: '{{ ann' }],
  [{ a: '{{$._s.user' }, { a: '{{$._s.user' }],
  [{ a: '{{$}} {{$.}} {{$.status}}' }, { a: '{{$}} {{$.}} 200' }],
  [
    { id: 5, a: 'is {{$.entity.id}}', b: '{{$.entity.a}}' },
    { id: 5, a: 'is 5', b: 'is {{$.entity.id}}' },
  ],
  [
    { a: '{{$._s.braces}}', b: 'x{{$._s.braces}}' },
    { a: 'http://shop', b: 'xhttp://shop' },
  ],
  ['{{$._s.user}}', 'ann'],
  [[], []],
])('%j becomes %j', (body, entity) => {
  expect(answered(body, given).entity).toEqual(entity)
})

describe('secrets are never put in', () => {
  test.each([
    '{{$._env.password}}',
    'x{{$._env.password}}',
    '{{$._env}}',
    '{{$._env.keys}}',
    '{{$._env.keys.api}}',
    '{{$._env.pin}}',
    '{{$._j.login}}',
    '{{$._j}}',
    '{{$._s.copy}}',
    '{{$._s.deep}}',
    '{{$._req}}',
    '{{$._req.headers}}',
    '{{$._req.headers.authorization}}',
    "{{$._req['headers'].cookie}}",
    '{{$._req.body}}',
  ])('%s', reference => {
    const context = begun(given)
    context.export('_s', 'copy', 'the password is s3cret')
    context.export('_s', 'deep', { a: [{ s3cret: 1 }] })
    context.requestSent({
      method: 'GET',
      url: 'http://shop',
      headers: { authorization: `Basic ${btoa('ann:s3cret')}`, cookie: 'session=1' },
      body: { password: 's3cret' },
    })
    context.httpResponse(jsonResponse({ a: reference }))
    expect(context.entity).toEqual({ a: reference })
  })

  test('while what is not secret is, also of the request', () => {
    const context = begun(given)
    context.requestSent({ method: 'GET', url: 'http://shop/x', headers: {}, body: '' })
    context.httpResponse(jsonResponse({ a: '{{$._env.shop}} {{$._req.method}} {{$._req.url}}' }))
    expect(context.entity).toEqual({ a: 'http://shop GET http://shop/x' })
  })
})

test('text, headers, SQL rows and RPC messages are rendered as well', () => {
  const context = begun(given)
  context.httpResponse(jsonResponse('', { headers: ['X-User', '{{$._s.user}}'], body: 'hi {{$._s.user}}' }))
  expect(context.entity).toBe('hi ann')
  expect(context.header('x-user')).toBe('ann')
  expect(context.headers?.['x-user']).toBe('ann')
  context.sqlResult(() => [{ a: '{{$._s.user}}', b: 1 }], time)
  expect(JSON.stringify(context.entity)).toBe('[{"a":"ann","b":1}]')
  context.rpcResponse({
    status: 0,
    statusText: 'OK',
    headers: {},
    trailers: { t: '{{$._s.n}}' },
    message: { m: ['{{$._s.n}}'] },
    time,
  })
  expect(context.entity).toEqual({ m: [7] })
  expect(context.trailers?.t).toBe('7')
})

test('braces written as escapes of JSON are braces', () => {
  const context = begun(given)
  context.httpResponse(jsonResponse('', { body: '{"a":"\\u007B\\u007b$._s.user}}"}' }))
  expect(context.entity).toEqual({ a: 'ann' })
})

test('renderResponses: false leaves all as it came', () => {
  const context = answered({ a: '{{$._s.user}}' }, { ...given, renderResponses: false })
  expect(context.entity).toEqual({ a: '{{$._s.user}}' })
  context.httpResponse(jsonResponse(1, { headers: { x: '{{$._s.user}}' } }))
  expect(context.header('x')).toBe('{{$._s.user}}')
  expect(context.headers?.x).toBe('{{$._s.user}}')
})

test('what is put in is bounded, however often a response asks', () => {
  const context = begun(given)
  context.export('_s', 'big', 'x'.repeat(100_000))
  context.httpResponse(jsonResponse(Array.from({ length: 500 }, () => ' {{$._s.big}}')))
  expect(JSON.stringify(context.entity).length).toBeLessThan(1_300_000)
  context.httpResponse(jsonResponse(Array.from({ length: 5000 }, () => '{{$._s.n}}')))
  expect(JSON.stringify(context.entity).match(/7/g)).toHaveLength(1000)
})

test.each([
  ['{{', '}}'],
  ['{{$.a', '}}'],
  ['{{$._s.n}', '}'],
  ['}}{{ ', '}}'],
])('a million times %s ends', (piece, end) => {
  const body = piece.repeat(1_000_000) + end
  const context = begun(given)
  context.httpResponse(jsonResponse('', { headers: {}, body }))
  expect(String(context.entity).length).toBeLessThanOrEqual(body.length)
})

test('a response nested very deep stays as it is below a depth', () => {
  const context = begun(given)
  const depth = 50_000
  context.httpResponse(jsonResponse('', { body: `${'['.repeat(depth)}"{{$._s.user}}"${']'.repeat(depth)}` }))
  expect(Array.isArray(context.entity)).toBe(true)
})

test('what was put in is not looked at again, and nothing throws', () => {
  const part = fc.constantFrom(
    '{{',
    '}}',
    '{',
    '$._s.a',
    '$._s.b',
    '$._env.password',
    '$.entity',
    ' ',
    '$..a',
    '[',
    "'",
    'x',
  )
  const text = fc.array(part, { maxLength: 12 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(text, text, text, (a, b, reply) => {
      const context = begun(given)
      context.export('_s', 'a', a)
      context.export('_s', 'b', b)
      context.httpResponse(jsonResponse({ reply, a: '{{$._s.a}}', both: '<{{$._s.a}}|{{$._s.b}}>' }))
      expect(context.entity).toMatchObject({ a, both: `<${a}|${b}>` })
      expect(JSON.stringify(context.entity)).not.toContain('s3cret')
    }),
    { numRuns: 2000 },
  )
})

test('hostile keys are plain data and pollute nothing', () => {
  const key = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'a')
  const tree = fc.letrec(tie => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('{{$._s.user}}', 1, null),
      fc.array(fc.tuple(key, tie('node'))).map(Object.fromEntries),
    ),
  })).node
  const before = Object.getOwnPropertyNames(Object.prototype)
  fc.assert(
    fc.property(tree, fc.array(fc.tuple(key, fc.string())), (body, pairs) => {
      const context = begun({ ...given, row: Object.fromEntries(pairs) })
      context.httpResponse(jsonResponse(body, { headers: ['Content-Type', 'application/json', ...pairs.flat()] }))
      expect(JSON.stringify(context.entity)).toBe(JSON.stringify(body).replaceAll('{{$._s.user}}', 'ann'))
      for (const [name] of pairs) expect(Object.hasOwn(context.headers ?? {}, name.toLowerCase())).toBe(true)
      for (const [name] of pairs) context.export('_j', name, { polluted: true })
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
    }),
    { numRuns: 500 },
  )
})

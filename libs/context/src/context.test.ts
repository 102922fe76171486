import { describe, expect, test } from 'vitest'
import { begun, globals, jsonResponse, time } from './begun.fixture.ts'
import type { Context } from './context.ts'
import { compileImports } from './imports.ts'
import { missing } from './missing.ts'
import { compilePath } from './path.ts'
import { Random } from './random.ts'
import { compileText } from './template.ts'

function read(context: Context, path: string): unknown {
  return compilePath(path, 'path', []).read(context)
}

describe('an HTTP response', () => {
  test('with a JSON body: status, headers with Status, entity a map, time', () => {
    const context = begun()
    context.httpResponse(jsonResponse({ id: 1, tags: ['a'] }, { status: 201, statusText: 'Created' }))
    expect(read(context, '$.status')).toBe(201)
    expect({ ...context.headers }).toEqual({ 'content-type': 'application/json', Status: '201 Created' })
    expect(read(context, '$.entity')).toEqual({ id: 1, tags: ['a'] })
    expect(read(context, '$.time')).toEqual(time)
    expect(read(context, '$.time.request')).toBe(3)
  })

  test.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/problem+json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['text/plain', '{"a":1}', '{"a":1}'],
    ['application/json', '{"a":', '{"a":'],
    ['application/json', '', ''],
    ['application/jsonlines-not', 'x', 'x'],
    ['text/html; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1'), 'café'],
    ['text/html; charset=klingon', Buffer.from('café'), 'café'],
    ['application/json', Buffer.from('{"a":"é"}'), { a: 'é' }],
  ])('of type %s and body %s', (type, body, entity) => {
    const context = begun()
    context.httpResponse(jsonResponse(null, { headers: ['Content-Type', type], body }))
    expect(context.entity).toEqual(entity)
  })

  test.each([
    ['as parsed', { 'x-a': '1', 'set-cookie': ['a=1, x', 'b=2'], accept: ['p', 'q'], gone: undefined }],
    [
      'as they came',
      ['X-A', '1', 'Set-Cookie', 'a=1, x', Buffer.from('set-cookie'), 'b=2', 'Accept', Buffer.from('p'), 'accept', 'q'],
    ],
  ])('headers %s: any case, repeats joined', (_, headers) => {
    const wholeFirst = begun()
    const oneByOne = begun()
    wholeFirst.httpResponse(jsonResponse(1, { headers }))
    oneByOne.httpResponse(jsonResponse(1, { headers }))
    expect({ ...wholeFirst.headers }).toEqual({
      'x-a': '1',
      'set-cookie': 'a=1, x\nb=2',
      accept: 'p, q',
      Status: '200 OK',
    })
    for (const context of [wholeFirst, oneByOne]) {
      expect(read(context, '$.headers.x-a')).toBe('1')
      expect(read(context, "$.headers['X-A']")).toBe('1')
      expect(read(context, '$.headers.Set-Cookie')).toBe('a=1, x\nb=2')
      expect(read(context, '$.headers.ACCEPT')).toBe('p, q')
      expect(read(context, '$.headers.Status')).toBe('200 OK')
      expect(read(context, '$.headers.gone')).toBe(missing)
    }
  })

  test("a server's own Status header wins", () => {
    const context = begun()
    context.httpResponse(jsonResponse(1, { headers: ['Status', 'fine'] }))
    expect(read(context, '$.headers.status')).toBe('fine')
    expect(context.headers?.Status).toBe('fine')
  })

  test('is parsed once, and not before it is read', () => {
    const context = begun()
    context.httpResponse(jsonResponse({ a: 1 }))
    expect(context.entity).toBe(context.entity)
    expect(context.headers).toBe(context.headers)
  })
})

test('an SQL result is made when it is read, once', () => {
  const context = begun()
  let made = 0
  const make = () => {
    made++
    return [{ id: 1, name: 'ann' }]
  }
  context.sqlResult(make, time)
  expect(read(context, '$.status')).toBe(0)
  expect(read(context, '$.headers.Status')).toBe('0 OK')
  expect(made).toBe(0)
  expect(read(context, '$.entity[0].name')).toBe('ann')
  expect(read(context, '$.entity[0].id')).toBe(1)
  expect(made).toBe(1)
})

test('an SQL statement that failed: status 1, code and message', () => {
  const context = begun()
  context.sqlFailure('23505', 'duplicate key', time)
  expect(context.status).toBe(1)
  expect({ ...Object(context.entity) }).toEqual({ code: '23505', message: 'duplicate key' })
  expect(read(context, '$.entity.code')).toBe('23505')
})

test('an RPC message: code, metadata and trailers', () => {
  const context = begun()
  context.rpcResponse({
    status: 5,
    statusText: 'NOT_FOUND',
    headers: { 'x-node': 'n1' },
    trailers: { 'grpc-message': 'no such item' },
    message: { item: { id: '7' } },
    time,
  })
  expect(read(context, '$.status')).toBe(5)
  expect(read(context, '$.headers.Status')).toBe('5 NOT_FOUND')
  expect(read(context, '$.headers.X-Node')).toBe('n1')
  expect(read(context, '$.trailers.Grpc-Message')).toBe('no such item')
  expect(read(context, '$.entity.item.id')).toBe('7')
})

test('the request as it was sent', () => {
  const context = begun()
  context.requestSent({
    method: 'POST',
    url: 'http://h/x',
    headers: ['Content-Type', 'application/json', 'Authorization', 'Bearer t'],
    body: '{"a":1}',
  })
  expect(read(context, '$._req.method')).toBe('POST')
  expect(read(context, '$._req.url')).toBe('http://h/x')
  expect(read(context, '$._req.headers.AUTHORIZATION')).toBe('Bearer t')
  expect(read(context, '$._req.body.a')).toBe(1)
  context.requestSent({ method: 'POST', url: '', headers: {}, body: 'plain' })
  expect(read(context, '$._req.body')).toBe('plain')
})

test('everything of a response and its request is erased before the next request', () => {
  const context = begun()
  context.requestSent({ method: 'GET', url: 'u', headers: {}, body: undefined })
  context.rpcResponse({ status: 0, statusText: 'OK', headers: {}, trailers: {}, message: { a: 1 }, time })
  const paths = ['$.status', '$.headers', '$.headers.status', '$.trailers', '$.entity', '$.time', '$._req']
  for (const path of paths) expect(read(context, path)).not.toBe(missing)
  context.beforeRequest()
  for (const path of paths) expect(read(context, path)).toBe(missing)
})

test('_s is cleared and begun anew by each scenario while _j stays', () => {
  const context = begun({ variables: { currency: 'EUR' }, imports: { page: 1 } })
  context.export('_s', 'token', 't')
  context.export('_j', 'account', 'a')
  expect({ ...context._s }).toEqual({ page: 1, token: 't' })
  const imports = compileImports(
    { hello: 'hello {{$._s.user}} {{$._j.account}}', twice: '{{$._s.hello}}!' },
    'imports',
    [],
  )
  context.beginScenario(imports, { user: 'ann {{$._j.account}}' })
  expect({ ...context._s }).toEqual({
    user: 'ann {{$._j.account}}',
    hello: 'hello ann {{$._j.account}} a',
    twice: 'hello ann {{$._j.account}} a!',
  })
  expect({ ...context._j }).toEqual({ currency: 'EUR', account: 'a' })
})

test('a session begun in the place of another keeps nothing of it', () => {
  const context = begun({ variables: { a: 1 }, imports: { b: 2 } })
  context.httpResponse(jsonResponse(1))
  const environment = { values: {}, secrets: new Set<string>(), secretTexts: [] }
  context.beginSession(
    { environment, variables: compileImports({ c: 3 }, 'v', []), renderResponses: true },
    { ...globals, user: 18 },
    new Random(1, 2),
  )
  expect(Object.keys(Object(read(context, '$')))).toEqual(['_env', '_g', '_j', '_s'])
  expect({ ...context._j }).toEqual({ c: 3 })
  expect({ ...context._s }).toEqual({})
  expect(read(context, '$._g.user')).toBe(18)
})

test('_g and _env are read-only', () => {
  const context = begun({ environment: { a: 1 } })
  expect(Object.isFrozen(context._g)).toBe(true)
  expect(Object.isFrozen(context._env)).toBe(true)
})

test('the seed and the session decide the random values', () => {
  const template = compileText('{{uuid()}} {{randomInt(0, 1000000)}} {{randomString(20)}}', 't', [])
  const render = (session: number): string => template.render(begun({ session }))
  expect(render(7)).toBe(render(7))
  expect(new Set(Array.from({ length: 200 }, (_, session) => render(session))).size).toBe(200)
})

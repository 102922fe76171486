import { describe, expect, it } from 'vitest'
import { fixedJson, fixedRoute } from './fixed.ts'
import { QuickHeads } from './quick.ts'

const routes = [fixedRoute('/json', fixedJson({})), { template: '/items', handlers: {} }]
const find = (...lines: string[]) => new QuickHeads(routes).find(`${lines.join('\r\n')}\r\n\r\n`)

describe('QuickHeads', () => {
  it.each([
    { headers: ['Host: a'] },
    { headers: ['host:a', 'Accept: */*', 'User-Agent: x/1 (y; z)'] },
    { headers: ['host: a', 'connection: keep-alive'] },
    { headers: ['Connection:  Keep-Alive ', 'HOST: a'] },
    { headers: ['host: a', 'x-empty:'] },
  ])('takes GET /json with $headers', ({ headers }) => {
    expect(find('GET /json HTTP/1.1', ...headers)).toMatchObject({ template: '/json', name: undefined })
  })

  it('reads the name', () => {
    expect(find('GET /json HTTP/1.1', 'host: a', 'X-Onrush-Name:  log in ')?.name).toBe('log in')
    expect(find('GET /json HTTP/1.1', 'host: a', 'x-onrush-name:', 'a: b')?.name).toBeUndefined()
  })

  it.each([
    { why: 'another route', lines: ['GET /items HTTP/1.1', 'host: a'] },
    { why: 'a query', lines: ['GET /json?a=1 HTTP/1.1', 'host: a'] },
    { why: 'another method', lines: ['HEAD /json HTTP/1.1', 'host: a'] },
    { why: 'an older protocol', lines: ['GET /json HTTP/1.0', 'host: a'] },
    { why: 'no host', lines: ['GET /json HTTP/1.1', 'accept: */*'] },
    { why: 'two hosts', lines: ['GET /json HTTP/1.1', 'host: a', 'host: b'] },
    { why: 'no header', lines: ['GET /json HTTP/1.1'] },
    { why: 'a body', lines: ['GET /json HTTP/1.1', 'host: a', 'content-length: 2'] },
    { why: 'a chunked body', lines: ['GET /json HTTP/1.1', 'host: a', 'Transfer-Encoding: chunked'] },
    { why: 'an end', lines: ['GET /json HTTP/1.1', 'host: a', 'connection: close'] },
    { why: 'an end beside keep-alive', lines: ['GET /json HTTP/1.1', 'host: a', 'connection: keep-alive, close'] },
    { why: 'another protocol', lines: ['GET /json HTTP/1.1', 'host: a', 'upgrade: websocket'] },
    { why: 'an expectation', lines: ['GET /json HTTP/1.1', 'host: a', 'expect: 100-continue'] },
    { why: 'a row', lines: ['GET /json HTTP/1.1', 'host: a', 'x-row: 7'] },
    { why: 'a folded header', lines: ['GET /json HTTP/1.1', 'host: a', 'b: c', ' d'] },
    { why: 'a space before the colon', lines: ['GET /json HTTP/1.1', 'host : a'] },
    { why: 'a bare line feed', lines: ['GET /json HTTP/1.1', 'host: a\ncontent-length: 2'] },
    { why: 'a long head', lines: ['GET /json HTTP/1.1', 'host: a', `b: ${'c'.repeat(9000)}`] },
  ])('leaves $why to the parser', ({ lines }) => {
    expect(find(...lines)).toBeUndefined()
  })

  it('goes on when more different heads come than it remembers', () => {
    const heads = new QuickHeads(routes)
    for (let round = 0; round < 2; round++)
      for (let i = 0; i < 600; i++)
        expect(heads.find(`GET /json HTTP/1.1\r\nhost: a\r\nx-onrush-name: step ${i}\r\n\r\n`)?.name).toBe(`step ${i}`)
  })
})

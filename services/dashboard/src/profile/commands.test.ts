import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { curlLine, quickLine, quoted, remoteLine } from './commands.ts'

describe('a word for a shell', () => {
  it('comes out of the shell as it went in, whatever it holds', () => {
    const text = fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', ' ', '\n', 'a', '!', ';', 'é', '*') })
    fc.assert(
      fc.property(text, word => {
        expect(execFileSync('/bin/sh', ['-c', `printf '%s.' ${quoted(word)}`], { encoding: 'utf8' })).toBe(`${word}.`)
      }),
      { numRuns: 40 },
    )
  })
})

describe('the command line', () => {
  const url = 'http://127.0.0.1:7090/json'

  it.each([
    [{ type: 'constantUsersPerSec', rate: 50, duration: '30s' } as const, `onrush quick ${url} -q 50 -z 30s`],
    [{ type: 'constantConcurrentUsers', users: 5, duration: '1m' } as const, `onrush quick ${url} -c 5 -z 1m`],
    [{ type: 'iterations', iterations: 100, users: 5 } as const, `onrush quick ${url} -n 100 -c 5`],
  ])('says %j', (injection, line) => {
    expect(quickLine({ url, inject: [injection] })).toBe(line)
  })

  it('carries method, headers and body', () => {
    const inject = [{ type: 'constantConcurrentUsers', users: 1, duration: '1s' } as const]
    expect(quickLine({ url, inject, method: 'POST', headers: { 'x-a': 'b c' }, body: { user: "o'neil" } })).toBe(
      `onrush quick ${url} -c 1 -z 1s -m POST -H 'x-a: b c' -b '{"user":"o'\\''neil"}'`,
    )
  })

  it('does not claim what its flags cannot say', () => {
    const inject = [{ type: 'atOnceUsers', users: 3 } as const]
    expect(quickLine({ url, inject })).toBeUndefined()
    expect(
      quickLine({
        url,
        inject: [{ type: 'constantConcurrentUsers', users: 1, duration: '1s' }],
        assert: { '$.status': 200 },
      }),
    ).toBeUndefined()
  })

  it('runs a registered script from elsewhere, where flags can say it', () => {
    const reporter = 'http://reporter:7070/load'
    expect(remoteLine(reporter, { simulation: 'team/shop' })).toBe(`onrush run team/shop --remote ${reporter}`)
    expect(remoteLine(reporter, { simulation: 'shop', environment: 'the new one', workers: ['w1', 'w2'] })).toBe(
      `onrush run shop --remote ${reporter} --env 'the new one' --workers w1,w2`,
    )
    expect(remoteLine(reporter, { simulation: 'shop', variables: { currency: 'EUR' } })).toBeUndefined()
  })

  it('of curl sends the body as it is', () => {
    expect(curlLine('http://x/api/single', { url: "it's" })).toContain(`-d '{"url":"it'\\''s"}'`)
  })
})

import { expect, test } from 'vitest'
import { CookieJar, type CookiePlace } from './cookie-jar.ts'

const at = (url: string): CookiePlace => {
  const { hostname, pathname, protocol } = new URL(url)
  return { host: hostname, path: pathname, secure: protocol === 'https:' }
}

/** What one `set-cookie` from a place leads to elsewhere. */
function sent(cookie: string, from: string, to: string, later = 0): string {
  const jar = new CookieJar()
  jar.store(cookie, at(from), 1_000_000)
  return jar.headerFor(at(to), 1_000_000 + later)
}

const hour = 3_600_000

test.each([
  ['a cookie goes back to its host', 'a=1', 'http://x.test/', 'http://x.test/p', 'a=1'],
  ['whatever the port', 'a=1', 'http://x.test:81/', 'http://x.test/p', 'a=1'],
  ['and to no other', 'a=1', 'http://x.test/', 'http://y.test/', ''],
  ['not even below it', 'a=1', 'http://x.test/', 'http://s.x.test/', ''],
  ['unless its domain says so', 'a=1; Domain=.X.test', 'http://x.test/', 'http://s.x.test/', 'a=1'],
  ['from below, too', 'a=1; domain=x.test', 'http://s.x.test/', 'http://x.test/', 'a=1'],
  ['a name that only ends alike is another', 'a=1; domain=x.test', 'http://x.test/', 'http://ax.test/', ''],
  ['nobody claims a domain that is not theirs', 'a=1; domain=y.test', 'http://x.test/', 'http://y.test/', ''],
  ['nor a top level', 'a=1; domain=test', 'http://x.test/', 'http://y.test/', ''],
  ['an address has no domains', 'a=1; domain=0.0.1', 'http://127.0.0.1/', 'http://127.0.0.1/', ''],
  ['but it has itself', 'a=1; domain=127.0.0.1', 'http://127.0.0.1/', 'http://127.0.0.1/', 'a=1'],
  ['a path holds for what lies below', 'a=1; path=/p', 'http://x.test/', 'http://x.test/p/q', 'a=1'],
  ['and for itself', 'a=1; path=/p', 'http://x.test/', 'http://x.test/p', 'a=1'],
  ['not for a neighbour', 'a=1; path=/p', 'http://x.test/', 'http://x.test/pq', ''],
  ['without one it is the folder', 'a=1', 'http://x.test/p/q', 'http://x.test/p/r', 'a=1'],
  ['which is not its parent', 'a=1', 'http://x.test/p/q', 'http://x.test/', ''],
  ['a secure one goes over TLS', 'a=1; Secure', 'https://x.test/', 'https://x.test/', 'a=1'],
  ['and only there', 'a=1; Secure', 'https://x.test/', 'http://x.test/', ''],
  ['it cannot be set without', 'a=1; Secure', 'http://x.test/', 'https://x.test/', ''],
  ['prefixes mean what they say', '__Secure-a=1', 'https://x.test/', 'https://x.test/', ''],
  ['and are kept when they do', '__Host-a=1; Secure; Path=/', 'https://x.test/', 'https://x.test/', '__Host-a=1'],
  [
    'a host prefix has no domain',
    '__Host-a=1; Secure; Path=/; Domain=x.test',
    'https://x.test/',
    'https://x.test/',
    '',
  ],
  ['a value may hold an equals sign', 'a=b=c', 'http://x.test/', 'http://x.test/', 'a=b=c'],
  ['or be empty', 'a=', 'http://x.test/', 'http://x.test/', 'a='],
  ['a name may not', '=1', 'http://x.test/', 'http://x.test/', ''],
  ['what is no pair is nothing', 'HttpOnly', 'http://x.test/', 'http://x.test/', ''],
  ['a control character is refused', 'a=1\x01', 'http://x.test/', 'http://x.test/', ''],
])('%s', (_, cookie, from, to, expected) => {
  expect(sent(cookie, from, to)).toBe(expected)
})

test.each([
  ['max-age=60', 59_000, 'a=1'],
  ['max-age=60', 60_000, ''],
  ['max-age=0', 0, ''],
  ['max-age=-1', 0, ''],
  ['expires=Thu, 01 Jan 1970 01:00:00 GMT', hour - 1_000_001, 'a=1'],
  ['expires=Thu, 01 Jan 1970 01:00:00 GMT', hour, ''],
  ['expires=Thu, 01 Jan 1970 00:00:00 GMT; max-age=60', 0, 'a=1'],
  ['expires=whenever', hour, 'a=1'],
])('%s, %d ms later: "%s"', (attribute, later, expected) => {
  expect(sent(`a=1; ${attribute}`, 'http://x.test/', 'http://x.test/', later)).toBe(expected)
})

test('a cookie takes the place of the one with its name, domain and path', () => {
  const jar = new CookieJar()
  const place = at('http://x.test/')
  for (const line of ['a=1', 'b=2', 'a=3', 'a=4; path=/p']) jar.store(line, place, 0)
  expect(jar.headerFor(at('http://x.test/p'), 0)).toBe('a=4; a=3; b=2')
  jar.store('a=; max-age=0', place, 0)
  expect(jar.headerFor(at('http://x.test/p'), 0)).toBe('a=4; b=2')
})

test('a server that sets names without end does not fill the memory', () => {
  const jar = new CookieJar()
  for (let i = 0; i < 1000; i++) jar.store(`c${i}=1`, at('http://x.test/'), 0)
  expect(jar.size).toBe(180)
  expect(jar.headerFor(at('http://x.test/'), 0)).toMatch(/^c820=1; .*; c999=1$/)
})

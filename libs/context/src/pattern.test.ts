import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ColumnFault } from './column-fault.ts'
import { compileMatcher, compilePattern } from './pattern.ts'

/** With backtracking each of these takes 2^n steps, longer than any test may run: that they end is the proof. */
const catastrophes = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '(a*)*b',
  '^(a{1,40}){1,40}$',
  '(?:a?){40}a{40}b',
  '(?i)^(A+)+$',
  '([a-zA-Z]+)*1',
  '(.*a){20}b',
]
const text = `${'a'.repeat(60)}!`

test.each(catastrophes)('%s ends on a hostile text', source => {
  expect(compileMatcher(source).test(text)).toBe(false)
})

test('also on another thread', async () => {
  const code = `
    import { parentPort } from 'node:worker_threads'
    const { compilePattern } = await import(${JSON.stringify(new URL('./pattern.ts', import.meta.url).href)})
    parentPort.postMessage(compilePattern('^(a+)+$').test(${JSON.stringify(text)}))`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { execArgv: [] })
  const answer = await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  expect(answer).toBe(false)
})

describe('refused', () => {
  test.each([
    ['(?=a)b', 'look-around'],
    ['(?!a)b', 'look-around'],
    ['(a)\\1', 'back-references'],
    ['(?<x>a)\\k<x>', 'back-references'],
    ['(', 'Unterminated group'],
    ['[a', 'Unterminated'],
    ['a**', 'Nothing to repeat'],
    ['a{3,2}', 'out of order'],
    ['(a){20}', 'cannot capture'],
    ['(?:a{1000}){1000}', 'multiply'],
    ['(?:(?:(?:(?:a{90}){90}){90}){90}){90}', 'multiply'],
    ['x'.repeat(1001), '1000 characters'],
  ])('%s', (source, message) => {
    expect(() => compilePattern(source)).toThrow(ColumnFault)
    expect(() => compilePattern(source)).toThrow(message)
  })
})

test.each([
  ['^[0-9a-f]{32}$', 'd41d8cd98f00b204e9800998ecf8427e', true],
  ['^[0-9a-f]{32}$', 'd41d8cd98f00b204e9800998ecf8427', false],
  ['^[0-9a-f]{64}$', 'a'.repeat(64), true],
  ['^a{17,}$', 'a'.repeat(16), false],
  ['^a{17,}$', 'a'.repeat(40), true],
  ['^a{2,40}$', 'a'.repeat(40), true],
  ['^a{2,40}$', 'a'.repeat(41), false],
  ['^(?:[a-f]{4}-?){8}$', 'abcd-abcd-abcd-abcdabcd-abcd-abcd-abcd', true],
  ['^(?:ab){20}$', 'ab'.repeat(20), true],
  ['^(?:ab){20}$', 'ab'.repeat(19), false],
  ['(?i)^straße [a-c]+[^x]$', 'STRAßE aBcY', true],
  ['(?i)^straße [a-c]+[^x]$', 'STRAßE aBcX', false],
  ['(?i)\\d\\w[\\]é]', '1aÉ', true],
  ['[\\]}]{2}\\{\\(', ']}{(', true],
  ['(?<=a)b', 'ab', true],
  ['^.{20}$', '\\'.repeat(20), true],
  ['a{,3}', 'a{,3}', true],
])('%s on %s: %s', (source, on, matches) => {
  expect(compileMatcher(source).test(on)).toBe(matches)
})

test('groups stay where they are', () => {
  expect(compilePattern('(a{2})-(?<n>\\d{17,20})').exec('aa-123456789012345678')?.slice(1)).toEqual([
    'aa',
    '123456789012345678',
  ])
})

test('what is written out means the same as before', () => {
  const atom = fc.constantFrom('a', 'b', '[ab]', '.', '(?:ab)', '(?:a|b)', '\\w', '(?:a{2}b?)')
  const count = fc.constantFrom('', '*', '+', '?', '{2}', '{18}', '{17,}', '{1,19}', '{0,20}', '{3,40}?', '+?')
  const pattern = fc.array(
    fc.tuple(atom, count).map(parts => parts.join('')),
    { minLength: 1, maxLength: 3 },
  )
  const runs = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'ab', 'aab'), fc.nat(24)), { maxLength: 4 })
  fc.assert(
    fc.property(pattern, runs, (parts, on) => {
      const source = `^(${parts.join('')})`
      const subject = on.map(([piece, times]) => piece.repeat(times)).join('')
      const expected = new RegExp(source).exec(subject)
      expect(compilePattern(source).exec(subject)?.slice()).toEqual(expected?.slice())
      expect(compileMatcher(source).exec(subject)?.slice()).toEqual(expected?.slice(0, 1))
    }),
    { numRuns: 2000 },
  )
})

test('any text is a pattern or is refused', () => {
  const characters = fc.array(fc.constantFrom(...'ab()[]{}*+?|\\^$.-,:=!<>123dwk'), { maxLength: 15 })
  fc.assert(
    fc.property(characters, parts => {
      const source = parts.join('')
      try {
        const ours = compilePattern(source)
        expect(ours.exec('aab1-(')?.[0]).toEqual(new RegExp(source).exec('aab1-(')?.[0])
      } catch (error) {
        expect(error).toBeInstanceOf(ColumnFault)
      }
    }),
    { numRuns: 20_000 },
  )
})

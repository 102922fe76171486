import { expect, test } from 'vitest'
import { errorWords } from './error-words.ts'

const thrown = (stack: string) => Object.assign(new TypeError('no'), { stack: `TypeError: no\n${stack}` })

test.each([
  ['in a function', '    at run (file:///a%20b/shop.ts:3:7)\n    at x (file:///c.ts:1:1)', ' (/a b/shop.ts:3:7)'],
  ['at the top', '    at file:///shop.ts:3:7', ' (/shop.ts:3:7)'],
  ['after a wait', '    at async run (/shop.ts:3:7)', ' (/shop.ts:3:7)'],
  [
    'below Node',
    '    at JSON.parse (<anonymous>)\n    at node:internal/x:1:1\n    at run (/shop.ts:3:7)',
    ' (/shop.ts:3:7)',
  ],
  ['below a package', '    at f (/node_modules/p/i.js:1:2)\n    at run (/shop.ts:3:7)', ' (/shop.ts:3:7)'],
  ['in a package only', '    at f (/node_modules/p/i.js:1:2)', ' (/node_modules/p/i.js:1:2)'],
  ['nowhere', '', ''],
])('an error thrown %s', (_, stack, place) => {
  expect(errorWords(thrown(stack))).toBe(`TypeError: no${place}`)
})

test('what is no error', () => {
  expect(errorWords('stop')).toBe('it threw stop')
})

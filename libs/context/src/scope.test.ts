import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScope } from './scope.ts'

test('nothing is inherited, and any key is a key', () => {
  expect('constructor' in createScope()).toBe(false)
  expect('toString' in createScope()).toBe(false)
  expect('__proto__' in createScope()).toBe(false)
  const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', '0'), fc.string())
  fc.assert(
    fc.property(key, fc.anything(), (name, value) => {
      const scope = createScope({ a: 1 })
      scope[name] = value
      expect(Object.hasOwn(scope, name)).toBe(true)
      expect(Object.is(scope[name], value)).toBe(true)
      expect(Object.keys(createScope())).toEqual([])
      expect('polluted' in {}).toBe(false)
    }),
  )
})

test('JSON writes it as a map', () => {
  expect(JSON.stringify(createScope({ a: 1, b: [2] }))).toBe('{"a":1,"b":[2]}')
})

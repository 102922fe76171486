import type { Fault } from '@onrush/protocol/problem'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answered } from './begun.fixture.ts'
import { missing } from './missing.ts'
import { compilePath } from './path.ts'

const items = [
  { id: 1, name: 'a', price: 2, 'a b': true, tags: ['x'] },
  { id: 2, name: 'b (c)', price: 4, nested: { deep: { n: 1 } } },
  { id: 3, name: 'c', price: 8, on: false },
]

function ids(filter: string): unknown {
  const faults: Fault[] = []
  const found = compilePath(`$.entity[?(${filter})].id`, 'p', faults).read(answered(items))
  expect(faults).toEqual([])
  return found === missing ? [] : found
}

test.each([
  ['@.price > 2', [2, 3]],
  ['@.price>=2&&@.price<8', [1, 2]],
  ['@.price * 2 == 8 || @.id === 3', [2, 3]],
  ["@.name == 'a'", [1]],
  ['@.name != "a"', [2, 3]],
  ['@.nested', [2]],
  ['!@.nested', [1, 3]],
  ['@.nested.deep.n == 1', [2]],
  ["@['a b']", [1]],
  ['@.on == false', [3]],
  ['(@.id == 1 || @.id == 2) && !(@.id == 2)', [1]],
  ['@.tags[0] == "x"', [1]],
  ['-@.price < -2', [2, 3]],
  ['@.price + 1 > @.id * 2', [1, 2, 3]],
  ['@.nothing > 1', []],
  ['@.name.length > 1', [2]],
  ['true', [1, 2, 3]],
  ['null', []],
])('filter %s', (filter, found) => {
  expect(ids(filter)).toEqual(found)
})

/** Tricks published against jsonpath-plus (CVE-2024-21534, CVE-2025-1302 and their like) and filters that run forever. */
const attacks = [
  "@.constructor.constructor('return process')()",
  "@['constructor']['constructor']('return process')()",
  "@['con'+'structor']",
  "''['sub']['constructor']('throw 1')()",
  "p='console.log(1)';a={};with([])this[p]",
  "this.constructor.constructor('return process')().exit()",
  'var _$_root=[].constructor.constructor(\'console.log(this.process.mainModule.require("child_process"))\');@root()',
  '(function a(arr){a([...arr, ...arr])})([1]);)',
  '@.__proto__',
  "@['__proto__']['polluted'] = 1",
  '@.prototype',
  "@.a.__defineGetter__('x', 1)",
  '@.name = 1',
  '@.tags.push(1)',
  '@.name.repeat(1000000000)',
  "@.name.match('(a+)+$')",
  '@.name =~ /(a+)+$/',
  '/(a+)+$/.test(@.name)',
  'process.exit()',
  'require("fs")',
  'Function("return 1")()',
  'globalThis',
  '@root.constructor',
  '@parent',
  '@path',
  '$',
  '[].constructor',
  '{}',
  '`x`',
  "@.a == '](@.constructor)'",
  "@.a == '(@.constructor)'",
  '@.a ? 1 : 2',
  '@.a, @.b',
  '@.a; @.b',
  '@.valueOf',
  '1 ** 9',
  'new Date',
  '() => 1',
  `${'('.repeat(50)}1${')'.repeat(50)}`,
  `${'!'.repeat(500)}1`,
]

describe('attacks by filter are refused when compiled', () => {
  test.each(attacks)('%s', attack => {
    for (const text of [`$.entity[?(${attack})]`, `$.entity[(${attack})]`, `$..[?(${attack})]`]) {
      const faults: Fault[] = []
      const path = compilePath(text, 'p', faults)
      expect(faults).toHaveLength(1)
      expect(path.read(answered(items))).toBe(missing)
    }
  })
})

test('data is never taken for a filter or a script', () => {
  const hostile = [
    { k: "?(@.constructor.constructor('return 1')())" },
    { k: '(@.length)' },
    { '?(1)': 1, '..': 2, '*': 3 },
  ]
  const read = (text: string): unknown => compilePath(text, 'p', []).read(answered(hostile))
  expect(read('$.entity[*].k')).toEqual(["?(@.constructor.constructor('return 1')())", '(@.length)'])
  expect(read("$.entity[2]['?(1)']")).toBe(1)
  expect(read("$.entity[2]['..']")).toBe(2)
  expect(read("$.entity[?(@.k == 'x')]")).toBe(missing)
})

test('random filters of allowed tokens never throw and never reach a prototype', () => {
  const token = fc.constantFrom(
    ...[
      '@',
      '.id',
      '.name',
      "['a b']",
      '.tags[0]',
      '.length',
      ' == ',
      ' > ',
      ' && ',
      ' || ',
      '!',
      '-',
      '(',
      ')',
      '1',
      "'a'",
      'null',
      ' + ',
      '.constructor',
      '.__proto__',
      '()',
    ],
  )
  fc.assert(
    fc.property(fc.array(token, { minLength: 1, maxLength: 12 }), tokens => {
      const found = compilePath(`$.entity[?(${tokens.join('')})]`, 'p', []).read(answered(items))
      if (found !== missing) for (const item of Array.isArray(found) ? found : []) expect(items).toContainEqual(item)
    }),
    { numRuns: 5000 },
  )
})

test('a document nested too deep to search gives nothing', () => {
  const context = answered(0)
  context.httpResponse({
    status: 200,
    statusText: 'OK',
    headers: { 'content-type': 'application/json' },
    body: `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`,
    time: { request: 1, micros: 1, connect: 0, firstByte: 0 },
  })
  expect(compilePath('$.entity..b', 'p', []).read(context)).toBe(missing)
  expect(compilePath('$.entity[0].a[0].b', 'p', []).read(context)).toBe(missing)
})

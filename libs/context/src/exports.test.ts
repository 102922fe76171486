import { Exports } from '@onrush/protocol/export'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { describe, expect, test } from 'vitest'
import { answered } from './begun.fixture.ts'
import { compileExports } from './exports.ts'

function apply(written: Json, entity: unknown): { failures: readonly object[]; s: object; j: object } {
  const faults: Fault[] = []
  const compiled = compileExports(Exports.parse(written), 'export', faults)
  expect(faults).toEqual([])
  const context = answered(entity)
  const failures = compiled.apply(context)
  return { failures, s: { ...context._s }, j: { ...context._j } }
}

test('scopes, defaults, and what is found although another is not', () => {
  const { failures, s, j } = apply(
    {
      token: '$.entity.token',
      nil: { path: '$.entity.nil', default: 'not used' },
      kept: { path: '$.status', scope: '_j' },
      none: { path: '$.entity.none', default: null },
      gone: '$.entity.gone',
      list: '$.entity.items[*].id',
      empty: { path: '$.entity.items[*].x', default: [] },
    },
    { token: 't', nil: null, items: [{ id: 1 }, { id: 2 }] },
  )
  expect(failures).toEqual([{ name: 'gone', path: '$.entity.gone', message: '$.entity.gone finds nothing' }])
  expect(s).toEqual({ token: 't', nil: null, none: null, list: [1, 2], empty: [] })
  expect(j).toEqual({ kept: 200 })
})

test('all values are read before the first is stored', () => {
  const faults: Fault[] = []
  const compiled = compileExports({ a: '$._s.b', b: '$._s.a' }, 'export', faults)
  const context = answered(1, { imports: { a: 1, b: 2 } })
  expect(compiled.apply(context)).toEqual([])
  expect({ ...context._s }).toEqual({ a: 2, b: 1 })
})

describe('transforms', () => {
  test.each<[Json, Json, unknown]>([
    ['toNumber', ' 12.5 ', 12.5],
    ['toNumber', true, 1],
    ['toString', { a: 1 }, '{"a":1}'],
    ['toString', null, 'null'],
    ['toBoolean', 'false', false],
    ['toBoolean', 1, true],
    ['toJson', 'a"', '"a\\""'],
    ['fromJson', '{"a":[1]}', { a: [1] }],
    ['trim', ' a ', 'a'],
    ['upper', 'ä', 'Ä'],
    ['lower', 12, '12'],
    ['length', 'abc', 3],
    ['length', { a: 1 }, 1],
    ['first', [null, 1], null],
    ['last', [1, 2], 2],
    ['keys', { b: 1, a: 2 }, ['b', 'a']],
    ['values', { b: 1, a: 2 }, [1, 2]],
    ['base64', 'é', 'w6k='],
    ['fromBase64', 'w6k=', 'é'],
    ['urlEncode', 'a&b', 'a%26b'],
    ['urlDecode', 'a%26b+c', 'a&b c'],
    [{ split: ',' }, 'a,b', ['a', 'b']],
    [{ join: '-' }, ['a', 1, { b: 2 }], 'a-1-{"b":2}'],
    [{ regex: 'id=(\\d+)&(x)' }, '?id=12&x', '12'],
    [{ regex: 'id=\\d+' }, '?id=12', 'id=12'],
    [{ regex: '(a)(b)', group: 2 }, 'ab', 'b'],
    [{ regex: '(a)(b)', group: 0 }, 'ab', 'ab'],
    [{ regex: '(?<n>\\d)', group: 'n' }, 'a1', '1'],
    [{ replace: '[a-c]', with: '<$&>' }, 'abx', '<a><b>x'],
    [{ slice: [-2, 100] }, [1, 2, 3], [2, 3]],
    [{ slice: [0, 1] }, 'abc', 'a'],
    [[{ split: ' ' }, 'last', 'toNumber'], 'took 12', 12],
  ])('%j of %j', (transform, value, result) => {
    expect(apply({ x: { path: '$.entity.v', transform } }, { v: value })).toEqual({
      failures: [],
      s: { x: result },
      j: {},
    })
  })

  test.each<[Json, Json]>([
    ['toNumber', 'x'],
    ['toNumber', ''],
    ['toNumber', null],
    ['toBoolean', 'yes'],
    ['fromJson', '{'],
    ['trim', []],
    ['length', 5],
    ['first', []],
    ['last', 'abc'],
    ['keys', [1]],
    ['values', null],
    ['urlDecode', '%E0%A4'],
    [{ split: ',' }, null],
    [{ join: ',' }, 'a'],
    [{ regex: 'id=(\\d+)' }, 'id='],
    [{ regex: 'a(b)?' }, 'a'],
    [{ regex: '(a)', group: 5 }, 'a'],
    [{ regex: '(?<n>a)', group: 'constructor' }, 'a'],
    [{ regex: 'a', group: '__proto__' }, 'a'],
    [{ slice: [0, 1] }, {}],
  ])('%j of %j is said, or takes the default', (transform, value) => {
    const { failures, s } = apply({ x: { path: '$.entity.v', transform } }, { v: value })
    expect(s).toEqual({})
    expect(failures).toEqual([
      { name: 'x', path: '$.entity.v', message: expect.stringMatching(/^\$\.entity\.v: .* got /) },
    ])
    expect(apply({ x: { path: '$.entity.v', transform, default: 'd' } }, { v: value }).s).toEqual({ x: 'd' })
  })
})

test('faults: paths and patterns', () => {
  const faults: Fault[] = []
  compileExports(
    {
      a: '$.entity[',
      b: { path: '$.x' },
      c: { path: '$.entity', transform: ['trim', { regex: '(?=a)' }, { replace: '(', with: '' }] },
    },
    'export',
    faults,
  )
  expect(faults.map(fault => fault.path)).toEqual([
    'export.a',
    'export.b.path',
    'export.c.transform',
    'export.c.transform',
  ])
})

import { Assertion, operators } from '@onrush/protocol/assertion'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileAssertion } from './assertion.ts'
import { answered, begun } from './begun.fixture.ts'

function compile(assertion: Assertion): ReturnType<typeof compileAssertion> {
  const faults: Fault[] = []
  const compiled = compileAssertion(Assertion.parse(assertion), 'assert', faults)
  expect(faults).toEqual([])
  return compiled
}

const values: readonly Json[] = [
  '',
  'abc',
  '10',
  10,
  9.5,
  0,
  true,
  false,
  null,
  [],
  [1, 'a'],
  {},
  { a: 1, b: [2] },
  '2026-01-02',
]
const none: unique symbol = Symbol('none')
const withNone: readonly (Json | typeof none)[] = [...values, none]

/** The operators said again, the plain way: what each has to mean for a value or for none. */
function holds(value: Json | typeof none, operator: string, argument: Json): boolean {
  const equal = (a: unknown, b: unknown): boolean =>
    a !== none && JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
  const size =
    typeof value === 'string' || Array.isArray(value)
      ? value.length
      : value !== null && typeof value === 'object'
        ? Object.keys(value).length
        : -1
  const alike = typeof value === typeof argument && (typeof value === 'string' || typeof value === 'number')
  const list = Array.isArray(argument) ? argument : []
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  switch (operator) {
    case '$eq':
      return equal(value, argument)
    case '$ne':
      return !equal(value, argument)
    case '$gt':
      return alike && compare(value, argument) > 0
    case '$gte':
      return alike && compare(value, argument) >= 0
    case '$lt':
      return alike && compare(value, argument) < 0
    case '$lte':
      return alike && compare(value, argument) <= 0
    case '$in':
      return list.some(each => equal(value, each))
    case '$nin':
      return !list.some(each => equal(value, each))
    case '$regex':
      return typeof value === 'string' && new RegExp(String(argument)).test(value)
    case '$size':
      return size === argument
    case '$type':
      return type === argument || (argument === 'integer' && Number.isInteger(value))
    case '$exists':
      return (value !== none) === argument
    case '$empty':
      return size >= 0 && (size === 0) === argument
    case '$null':
      return value !== none && (value === null) === argument
    default:
      throw new Error(operator)
  }
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)])
  return { map: entries.sort() }
}

const arguments_: { readonly [operator: string]: readonly Json[] } = {
  $eq: values,
  $ne: values,
  $gt: [10, 9, 0, '10', 'abb', '2026'],
  $gte: [10, 9.5, '10', 'abc', '2026'],
  $lt: [10, 9.6, '2', 'abd', true],
  $lte: [10, 9.5, '10', 'abc', null],
  $in: [[], [10, 'abc'], [null, [1, 'a']], [{ b: [2], a: 1 }]],
  $nin: [[], [10, 'abc'], [null, [1, 'a']], [{ b: [2], a: 1 }]],
  $regex: ['^a', 'c$', '^$', '\\d+', '[0-9]{4}-'],
  $size: [0, 1, 2, 3],
  $type: ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'],
  $exists: [true, false],
  $empty: [true, false],
  $null: [true, false],
}

describe('each operator means what it says, and so do those around it', () => {
  const cases = Object.entries(arguments_).flatMap(([operator, list]) =>
    list.map(argument => [operator, argument] as const),
  )
  test.each(cases)('%s %j', (operator, argument) => {
    for (const value of withNone) {
      const expected = holds(value, operator, argument)
      const context = value === none ? answered({}) : answered({ v: value, list: [value] })
      const passes = (condition: Json, path = '$.entity.v'): boolean =>
        compile({ [path]: condition }).check(context).length === 0
      const condition = { [operator]: argument }
      expect([value, passes(condition)]).toEqual([value, expected])
      expect(passes({ $not: condition })).toBe(!expected)
      expect(passes({ $and: [condition, condition] })).toBe(expected)
      expect(passes({ $or: [{ $eq: 'never' }, condition] })).toBe(expected)
      expect(passes({ $nor: [condition] })).toBe(!expected)
      if (value === none) continue
      expect(passes({ $all: condition }, '$.entity.list')).toBe(expected)
      expect(passes({ $any: condition }, '$.entity.list')).toBe(expected)
    }
  })

  test('and none is left out', () => {
    const logic = ['$not', '$and', '$or', '$nor', '$all', '$any']
    expect([...Object.keys(arguments_), ...logic].sort()).toEqual([...operators].sort())
  })
})

test('a list of matches: every item, any item, and an empty list where nothing matches', () => {
  const context = answered({ items: [{ n: 1 }, { n: 5 }] })
  const passes = (assertion: Assertion): boolean => compile(assertion).check(context).length === 0
  expect(passes({ '$.entity.items[*].n': { $all: { $gte: 1, $lte: 5 }, $any: 5, $size: 2 } })).toBe(true)
  expect(passes({ '$.entity.items[*].n': { $all: { $gt: 1 } } })).toBe(false)
  expect(passes({ '$.entity.items[*].n': { $any: { $gt: 5 } } })).toBe(false)
  expect(passes({ '$.entity.items[*].x': { $size: 0, $empty: true, $all: 1, $exists: false } })).toBe(true)
  expect(passes({ '$.entity.items[*].x': { $any: 1 } })).toBe(false)
})

test('all failures are given, with index, path, operator, expected and actual; passing gives the same empty list', () => {
  const assertion = compile({
    '$.status': 200,
    '$.entity.a': { $gt: 5, $lt: 9 },
    '$.entity.gone': 'x',
    '$.entity.user': '{{$._s.user}}',
    '$.entity.id': '{{$._s.nobody}}',
    $or: [{ '$.status': 1 }, { '$.status': 2 }],
    $not: { '$.status': 500 },
  })
  expect(assertion.checks).toEqual([
    '$.status $eq 200',
    '$.entity.a $gt 5',
    '$.entity.a $lt 9',
    '$.entity.gone $eq "x"',
    '$.entity.user $eq "{{$._s.user}}"',
    '$.entity.id $eq "{{$._s.nobody}}"',
    '$ $or [{"$.status":1},{"$.status":2}]',
    '$ $not {"$.status":500}',
  ])
  expect(assertion.readsStatus).toBe(true)
  const failures = assertion.check(answered({ a: 3, user: 'bob' }, { imports: { user: 'ann' } }))
  expect(failures).toEqual([
    { index: 1, path: '$.entity.a', operator: '$gt', expected: '5', actual: '3' },
    { index: 3, path: '$.entity.gone', operator: '$eq', expected: '"x"', actual: 'nothing' },
    { index: 4, path: '$.entity.user', operator: '$eq', expected: '"ann"', actual: '"bob"' },
    {
      index: 5,
      path: '$.entity.id',
      operator: '$eq',
      expected: '"{{$._s.nobody}}"',
      actual: expect.stringContaining('$._s.nobody finds nothing'),
    },
    { index: 6, path: '$', operator: '$or', expected: '[{"$.status":1},{"$.status":2}]', actual: '0 of 2 held' },
  ])
  const passing = compile({ '$.status': 200 })
  expect(passing.check(answered(1))).toBe(passing.check(answered(2)))
  expect(compile({ '$.entity': 1 }).readsStatus).toBe(false)
  expect(compile({}).check(begun())).toEqual([])
})

test('keys and values are cut, keys stay apart', () => {
  const long = 'x'.repeat(500)
  const assertion = compile({
    '$.entity.a': { $in: [long, 1], $nin: [long, 2] },
    '$.entity.b': `${long}1`,
    $and: [{ '$.entity.c': long }],
  })
  expect(new Set(assertion.checks).size).toBe(assertion.checks.length)
  for (const key of assertion.checks) expect(key.length).toBeLessThanOrEqual(126)
  const huge = Array.from({ length: 100_000 }, (_, n) => ({ n, text: long }))
  for (const failure of assertion.check(answered({ a: huge, b: huge, c: { huge } }))) {
    expect(failure.expected.length).toBeLessThanOrEqual(160)
    expect(failure.actual.length).toBeLessThanOrEqual(160)
  }
})

test('failures show no secret', () => {
  const context = begun({ environment: { password: 's3cret' }, secrets: ['password'] })
  context.requestSent({ method: 'GET', url: 'u', headers: { authorization: 's3cret' }, body: '' })
  const failures = compile({ '$._req.headers.authorization': 'x', '$._req.method': '{{$._env.password}}' }).check(
    context,
  )
  expect(JSON.stringify(failures)).not.toContain('s3cret')
  expect(failures.map(failure => failure.actual)).toEqual(['(holds a secret)', '"GET"'])
})

test('both sides may hold references, deep inside literals and lists too', () => {
  const context = answered(
    { user: { name: 'ann', n: 7 }, in: 'b' },
    { imports: { name: 'ann', n: 7, list: ['a', 'b'] } },
  )
  const passes = (assertion: Assertion): boolean => compile(assertion).check(context).length === 0
  expect(passes({ '$.entity.user': { n: '{{$._s.n}}', name: '{{$._s.name}}' } })).toBe(true)
  expect(passes({ '$.entity.user': { n: '7', name: 'ann' } })).toBe(false)
  expect(passes({ '$.entity.in': { $in: '{{$._s.list}}' } })).toBe(true)
  expect(passes({ '$.entity.user.n': { $gte: '{{$._s.n}}', $lt: '{{$.entity.user.n}}' } })).toBe(false)
  expect(passes({ '$.entity.user.name': { $size: '{{$._s.gone ?? 3}}' } })).toBe(true)
  expect(passes({ '$.entity.user.name': { $not: { $eq: '{{$._s.gone}}' } } })).toBe(false)
})

test('what a reference brings into a pattern stands for itself', () => {
  const assertion = compile({ '$.entity.a': { $regex: '^{{$._s.x}}-\\d{2,20}$' } })
  const passes = (x: string, a: string): boolean => assertion.check(answered({ a }, { imports: { x } })).length === 0
  expect(passes('a.c', 'a.c-12')).toBe(true)
  expect(passes('a.c', 'abc-12')).toBe(false)
  expect(passes('(a+)+', '(a+)+-12')).toBe(true)
  expect(passes('.*', 'anything-12')).toBe(false)
  expect(assertion.check(answered({ a: 'x' }))[0]?.actual).toContain('$._s.x finds nothing')
})

test('every fault of an assertion is found', () => {
  const faults: Fault[] = []
  compileAssertion(
    {
      '$.statu': 1,
      '$.entity[': { $eq: '{{uid()}}' },
      '$.status': { $regex: '(' },
      $or: [{ '$.headers[?(x())]': { $not: { $regex: '(?=a)' } } }],
    },
    'assert',
    faults,
  )
  expect(faults.map(fault => fault.path)).toEqual([
    'assert["$.statu"]',
    'assert["$.entity["]',
    'assert["$.entity["].$eq',
    'assert["$.status"].$regex',
    'assert["$or"][0]["$.headers[?(x())]"]',
    'assert["$or"][0]["$.headers[?(x())]"].$not.$regex',
  ])
})

test('no literal and no entity makes a check throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.constantFrom(...operators), (entity, literal, operator) => {
      const text = JSON.stringify(literal).replaceAll('{{', '')
      const assertion = Assertion.safeParse({
        '$.entity': { [operator]: JSON.parse(text) },
        '$.entity.a': JSON.parse(text),
      })
      if (!assertion.success) return
      const faults: Fault[] = []
      compileAssertion(assertion.data, 'a', faults).check(answered(entity))
    }),
    { numRuns: 1000 },
  )
})

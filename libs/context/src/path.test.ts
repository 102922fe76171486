import type { Fault } from '@onrush/protocol/problem'
import fc from 'fast-check'
import { JSONPath } from 'jsonpath-plus'
import { describe, expect, test } from 'vitest'
import { answered } from './begun.fixture.ts'
import { missing } from './missing.ts'
import { compilePath } from './path.ts'

const entity = { a: { b: [{ 'c d': 1 }, { "it's": 2 }, 3] }, '': 4, 'x-y': 5, text: 'abc', n: null, zero: 0 }

function read(text: string, of: unknown = entity): unknown {
  const faults: Fault[] = []
  const path = compilePath(text, 'here', faults)
  expect(faults).toEqual([])
  return path.read(answered(of))
}

test.each([
  ["$.entity.a.b[0]['c d']", 1],
  ['$.entity.a.b[1]["it\'s"]', 2],
  ["$.entity.a.b[1]['it\\'s']", 2],
  ['$.entity.a.b[-1]', 3],
  ['$.entity.a.b[-4]', missing],
  ['$.entity.a.b[3]', missing],
  ['$.entity.a.b[ 2 ]', 3],
  ['$.entity.a.b[(@.length-1)]', 3],
  ['$.entity.a.b.length', 3],
  ['$.entity.a.b.map', missing],
  ["$.entity['']", 4],
  ['$.entity.x-y', 5],
  ["$.entity['\\u0078-y']", 5],
  ['$.entity.text.length', 3],
  ['$.entity.text.b', missing],
  ['$.entity.n', null],
  ['$.entity.n.x', missing],
  ['$.entity.zero', 0],
  ['$.entity.zero.x', missing],
  ['$.entity.a.x.y.z', missing],
  ['$._s.a', missing],
])('%s', (text, found) => {
  expect(read(text)).toEqual(found)
})

test.each([
  ['$.entity.a.b[*]', [{ 'c d': 1 }, { "it's": 2 }, 3]],
  ['$.entity.a.b[1:]', [{ "it's": 2 }, 3]],
  ['$.entity.a.b[-2:]', [{ "it's": 2 }, 3]],
  ['$.entity.a.b[::2]', [{ 'c d': 1 }, 3]],
  ['$.entity.a.b[0,2]', [{ 'c d': 1 }, 3]],
  ["$.entity['x-y','zero']", [5, 0]],
  ['$.entity.a.b[*][-1]', missing],
  ['$.entity.nothing[*]', missing],
  ['$.entity.text[*]', missing],
  ['$.entity..b[2]', [3]],
  ["$.entity..['c d']", [1]],
])('%s gives a list', (text, found) => {
  expect(read(text)).toEqual(found)
})

test('a negative index after a wildcard counts from the end', () => {
  expect(
    read('$.entity[*][-2]', [
      [1, 2, 3],
      [4, 5],
    ]),
  ).toEqual([2, 4])
})

describe('faults', () => {
  test.each([
    ['entity.a', 1, 'starts with "$."'],
    ['$.', 3, 'expected a name or *'],
    ['$.entity.a b', 11, 'expected "." or "["'],
    ['$.entity[', 10, 'expected an index'],
    ['$.entity[0', 10, 'expected an index'],
    ["$.entity['a", 10, 'never closed'],
    ["$.entity['a'", 13, 'expected "]"'],
    ["$.entity['a', 1]", 15, "expected 'a name'"],
    ["$.entity['\\uzz']", 11, 'hexadecimal'],
    ['$.entiti.a', 3, 'did you mean "entity"'],
    ['$.process.env', 3, 'the context has no "process"'],
    ['$.entity..a..b..c', 1, 'descend'],
    [`$.entity${'.a'.repeat(600)}`, 1, '1000 characters'],
    ["$.entity[*]['a;b']", 1, 'may hold letters'],
    ['$.entity[0,-1]', 1, 'counts from 0'],
    ['$.entity[?(@.a)', 16, 'expected "]"'],
    ['$.entity~', 9, 'expected "." or "["'],
    ['$.entity.a^', 11, 'expected "." or "["'],
    ['$.entity[@.length]', 10, 'expected an index'],
    ['$.entity.*@string()', 11, 'expected "." or "["'],
  ])('%s: column %i, %s', (text, column, message) => {
    const faults: Fault[] = []
    const path = compilePath(text, 'here', faults)
    expect(faults).toHaveLength(1)
    expect(faults[0]?.path).toBe('here')
    expect(faults[0]?.message).toContain(message)
    expect(faults[0]?.message).toContain(`at column ${column} of`)
    expect(path.read(answered(entity))).toBe(missing)
  })
})

const keys = [
  'a',
  'b',
  'c d',
  'x-y',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'length',
  '0',
  '1',
  'ü',
  'map',
]
const document = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    // The library takes an empty text for nothing found, so it has none.
    fc.constantFrom(null, true, false, 0, 1.5, 'text', 'a'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom(...keys), tie('value')), { maxLength: 5 }).map(Object.fromEntries),
  ),
})).value
const choice = fc.record({ pick: fc.nat(), key: fc.constantFrom(...keys), index: fc.nat(3), astray: fc.nat(3) })

/** Mostly along what the document holds, so that paths find something; now and then astray. */
function stepsThrough(
  value: unknown,
  choices: readonly { pick: number; key: string; index: number; astray: number }[],
): string {
  let text = ''
  let at = value
  for (const { pick, key, index, astray } of choices) {
    const own = typeof at === 'object' && at !== null ? Object.keys(at) : []
    const chosen = astray > 0 && own.length > 0 ? (own[pick % own.length] ?? key) : key
    text +=
      astray === 0 && pick % 2 === 0
        ? `[${index}]`
        : Array.isArray(at) && /^\d+$/.test(chosen)
          ? `[${chosen}]`
          : `['${chosen}']`
    at = typeof at === 'object' && at !== null ? Reflect.get(at, chosen) : undefined
  }
  return text
}

test('definite paths agree with jsonpath-plus on random documents', () => {
  let found = 0
  fc.assert(
    fc.property(document, fc.array(choice, { minLength: 1, maxLength: 4 }), (value, choices) => {
      const steps = stepsThrough(value, choices)
      const theirs: unknown = JSONPath({
        path: `$['entity']${steps}`,
        json: { entity: value },
        eval: 'safe',
        wrap: true,
      })
      const ours = read(`$.entity${steps}`, value)
      if (ours !== missing) found++
      expect(ours === missing ? [] : [ours]).toEqual(theirs)
    }),
    { numRuns: 3000 },
  )
  // Else the property would hold of paths that never find anything.
  expect(found).toBeGreaterThan(300)
})

test('any text either compiles or is a fault, and reading never throws', () => {
  const characters = fc.constantFrom(...'$.[]*?()@\'"\\:,-0129abentity ..{}<>=!&|+~^`#;')
  const texts = fc.array(characters, { maxLength: 30 }).map(each => `$.entity${each.join('')}`)
  fc.assert(
    fc.property(texts, text => {
      const faults: Fault[] = []
      const path = compilePath(text, 'p', faults)
      expect(faults.length).toBeLessThanOrEqual(1)
      path.read(answered(entity))
    }),
    { numRuns: 5000 },
  )
})

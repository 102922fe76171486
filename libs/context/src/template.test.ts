import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answered, begun } from './begun.fixture.ts'
import { compileJson } from './json-template.ts'
import { RenderError } from './render-error.ts'
import { compileText, compileValue } from './template.ts'

const context = answered(
  { id: 7, list: [1, 'a'], map: { x: null } },
  { imports: { name: 'ann', no: false, nil: null } },
)

function value(template: Json): unknown {
  const faults: Fault[] = []
  const rendered = compileValue(template, 't', faults).render(context)
  const json = compileJson(template, 't', faults).render(context)
  expect(faults).toEqual([])
  expect(JSON.parse(json)).toEqual(rendered)
  return rendered
}

test.each<[Json, unknown]>([
  ['plain', 'plain'],
  ['{{$.entity.id}}', 7],
  ['{{ $.entity.id }}', 7],
  [' {{$.entity.id}}', ' 7'],
  ['{{$.entity.list}}', [1, 'a']],
  ['x{{$.entity.list}}{{$.entity.map}}', 'x[1,"a"]{"x":null}'],
  ['{{$._s.name}}{{$.entity.id}}{{$._s.no}}', 'ann7false'],
  ['{{$._s.nil}}', null],
  ['a{{$._s.nil}}', 'anull'],
  ['{{$._s.nil ?? 1}}', 1],
  ['{{$._s.x ?? $._s.y ?? $._s.name}}', 'ann'],
  ['{{$._s.x ?? null}}', null],
  ["{{$._s.x ?? upper('z')}}", 'Z'],
  ['{{$._s.x??-1.5e2}}', -150],
  ['{{upper($._s.x ?? $._s.name)}}', 'ANN'],
  ["{{'}}'}}", '}}'],
  ["{{'a\\'b\\u0041\\n'}}", "a'bA\n"],
  ['{{"a"}}{{"b"}}', 'ab'],
  ['{{5}}', 5],
  ['{{true}}', true],
  ['n{{5}}{{true}}', 'n5true'],
  ['\\{{$._s.name}}', '{{$._s.name}}'],
  ['\\{{{{$._s.name}}}}', '{{ann}}'],
  ['a }} { } b', 'a }} { } b'],
  ["{{$.entity.map['x']}}", null],
  ['{{$.entity.list[-1]}}', 'a'],
  [
    { a: ['{{$.entity.id}}', { b: 'x{{$._s.name}}' }], c: 1.5, d: null, e: [], f: {} },
    { a: [7, { b: 'xann' }], c: 1.5, d: null, e: [], f: {} },
  ],
  [
    { a: ['"quoted"\n'], 'k"': true },
    { a: ['"quoted"\n'], 'k"': true },
  ],
  ['"{{$._s.name}}"\n', '"ann"\n'],
])('%j renders to %j', (template, rendered) => {
  expect(value(template)).toEqual(rendered)
})

test('only what holds a reference is rebuilt', () => {
  const template = compileValue({ still: { a: [1] }, moving: '{{$._s.name}}' }, 't', [])
  const [first, second] = [template.render(context), template.render(context)].map(Object)
  expect(first).not.toBe(second)
  expect(first.still).toBe(second.still)
  expect(template.isStatic).toBe(false)
  expect(template.paths).toEqual(['$._s.name'])
  expect(compileValue({ a: [1, "{{upper('a')}}"] }, 't', []).constant).toEqual({ a: [1, 'A'] })
  expect(compileText("{{md5('a')}}", 't', []).isStatic).toBe(true)
  expect(compileText('{{uuid()}}', 't', []).isStatic).toBe(false)
})

test('keys that mean something to JavaScript are keys', () => {
  const template: Json = JSON.parse('{"__proto__":{"a":"{{$._s.name}}"},"constructor":1}')
  expect(JSON.stringify(compileValue(template, 't', []).render(context))).toBe(
    '{"__proto__":{"a":"ann"},"constructor":1}',
  )
  expect(compileJson(template, 't', []).render(context)).toBe('{"__proto__":{"a":"ann"},"constructor":1}')
})

describe('a reference that finds nothing', () => {
  test.each<[Json, string]>([
    ['{{$._s.gone}}', '$._s.gone'],
    ['a{{$._s.gone}}', '$._s.gone'],
    ['{{$._s.name}}{{$._s.gone}}', '$._s.gone'],
    ['{{1}}{{2}}{{$.entity.list[*].x}}', '$.entity.list[*].x'],
    ['{{upper($._s.gone)}}', '$._s.gone'],
    ['{{$._s.gone ?? $._s.lost}}', '$._s.gone ?? $._s.lost'],
    [{ a: ['{{$._s.gone}}'] }, '$._s.gone'],
    ['{{upper($.entity.map)}}', 'upper($.entity.map)'],
    ['{{randomInt($._s.name, 3)}}', 'randomInt($._s.name, 3)'],
  ])('%j names %s', (template, reference) => {
    for (const compiled of [compileValue(template, 't', []), compileJson(template, 't', [])]) {
      let caught: unknown
      try {
        compiled.render(context)
      } catch (error) {
        caught = error
      }
      expect(caught).toBeInstanceOf(RenderError)
      expect(caught).toMatchObject({ reference })
    }
  })
})

describe('faults of a template', () => {
  test.each([
    ['a {{', 5, 'expected a reference'],
    ['a {{$._s.x', 11, 'expected "}}"'],
    ['{{$._s.x}', 9, 'expected "}}"'],
    ['{{$._s.x y}}', 10, 'expected "}}"'],
    ['{{name}}', 3, 'like $._s.name'],
    ['{{uuid}}', 3, 'write uuid()'],
    ['{{uiid()}}', 3, 'did you mean "uuid"'],
    ['{{constructor()}}', 3, 'unknown function "constructor"'],
    ['{{uuid(1)}}', 3, 'expected uuid(), got 1 argument'],
    ['{{md5()}}', 3, 'expected md5(text), got 0 arguments'],
    ['{{upper(lower())}}', 9, 'expected lower(text)'],
    ['{{upper(1', 10, 'expected "," or ")"'],
    ['{{upper(1 2)}}', 11, 'expected "," or ")"'],
    ['{{upper(,)}}', 9, 'expected a reference'],
    ["{{'a}}", 3, 'never closed'],
    ['{{$._s.x ?? }}', 13, 'expected a reference'],
    ['{{$._x.y}}', 5, 'the context has no "_x"'],
    ['xx{{$._s..}}', 11, 'expected a name or *'],
    ['{{randomInt(6, 1)}}', 3, 'low 6 is above high 1'],
    ["{{randomInt('a', 1)}}", 3, 'low is "a" and not a number'],
    ['{{randomInt(1.5, 2)}}', 3, 'not a whole number'],
    ['{{randomString(70000)}}', 3, 'not within 0 and 65536'],
    ["{{randomString(3, '')}}", 3, 'alphabet is empty'],
    ["{{randomItem('a')}}", 3, 'is not a list'],
    ["{{hmac('sha999', 'k', 't')}}", 3, 'sha999'],
    ["{{hmac('sha256', 'k', 't', 'hox')}}", 3, 'encoding'],
    ['{{upper(null)}}', 3, 'text is null'],
    ['{{now(9e15)}}', 3, 'calendar'],
    [`{{${'upper('.repeat(30)}1${')'.repeat(30)}}}`, 129, 'nest 20 deep'],
  ])('%s: column %i, %s', (template, column, message) => {
    const faults: Fault[] = []
    compileText(template, 'here', faults)
    expect(faults).toHaveLength(1)
    expect(faults[0]?.message).toContain(message)
    expect(faults[0]?.message).toContain(`at column ${column} of`)
  })

  test('are all found, each with its place', () => {
    const faults: Fault[] = []
    const template = { a: ['{{x}}', { b: '{{uid()}}', c: '{{$._s.fine}}' }] }
    compileValue(template, 'body', faults)
    expect(faults.map(fault => fault.path)).toEqual(['body.a[0]', 'body.a[1].b'])
    compileJson(template, 'json', faults)
    expect(faults.slice(2).map(fault => fault.path)).toEqual(['json.a[0]', 'json.a[1].b'])
  })
})

describe('attacks by template yield an error or nothing', () => {
  test.each([
    '{{process.env}}',
    '{{process.exit()}}',
    "{{require('fs')}}",
    "{{constructor.constructor('return process')()}}",
    "{{$._s.constructor.constructor('return process')()}}",
    "{{$.entity['constructor']['constructor']}}",
    '{{$.entity.__proto__}}',
    "{{$.entity['__proto__'].polluted}}",
    '{{$._g.__proto__.toString}}',
    '{{$._s.toString}}',
    '{{$._s.name.constructor}}',
    '{{$.entity.list.constructor.constructor}}',
    '{{$.entity.list.map}}',
    '{{$.constructor}}',
    '{{$.__proto__}}',
    '{{$.random}}',
    '{{$.environment.secretTexts}}',
    '{{$.beginSession}}',
    '{{7*7}}',
    '{{Function("return 1")()}}',
    '{{globalThis}}',
    '{{this}}',
    '{{eval("1")}}',
    '{{toString()}}',
    '{{__proto__()}}',
    '{{hasOwnProperty("x")}}',
    "{{upper.constructor('return 1')}}",
    "{{''.constructor}}",
    '$ {process.env}{{$.process}}',
  ])('%s', template => {
    const faults: Fault[] = []
    const compiled = compileValue(template, 't', faults)
    if (faults.length === 0) expect(() => compiled.render(context)).toThrow(RenderError)
  })
})

test('rendering never throws on text without references', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), random => {
      const text = random.replaceAll('{{', '{')
      const faults: Fault[] = []
      expect(compileText(text, 't', faults).render(context)).toBe(text)
      expect(compileValue([text], 't', faults).render(context)).toEqual([text])
      expect(JSON.parse(compileJson({ [text]: text }, 't', faults).render(context))).toEqual(
        JSON.parse(JSON.stringify({ [text]: text })),
      )
      expect(faults).toEqual([])
    }),
  )
})

test('any text is compiled or refused, never more', () => {
  const piece = fc.constantFrom(
    ...[
      '{{',
      '}}',
      '{',
      '}',
      '\\',
      '$._s.name',
      '$',
      "'",
      '"',
      'uuid()',
      'upper(',
      ')',
      ',',
      '??',
      ' ',
      '1',
      '[',
      ']',
      '.',
    ],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), pieces => {
      const faults: Fault[] = []
      const compiled = compileText(pieces.join(''), 't', faults)
      try {
        compiled.render(context)
      } catch (error) {
        expect(error).toBeInstanceOf(RenderError)
      }
    }),
    { numRuns: 3000 },
  )
})

test('a rendered value is never rendered again', () => {
  const hostile = fc
    .array(fc.constantFrom('{{', '}}', '$._s.secret', ' ', 'uuid()', '\\', 'x'), { maxLength: 10 })
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const session = begun()
      session.export('_s', 'secret', 'SECRET')
      session.export('_s', 'a', a)
      session.export('_s', 'b', b)
      expect(compileText('<{{$._s.a}}{{$._s.b}}>', 't', []).render(session)).toBe(`<${a}${b}>`)
      expect(compileValue(['{{$._s.a}}'], 't', []).render(session)).toEqual([a])
      expect(compileJson(['{{$._s.a}}'], 't', []).render(session)).toBe(JSON.stringify([a]))
    }),
  )
})

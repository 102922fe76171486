import fc from 'fast-check'

type Schema = { readonly [key: string]: unknown }

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const schemaOf = (value: unknown): Schema => (isSchema(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const numberOf = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback)

/** How deep a value goes before the smallest one is taken. */
const deepest = 5

/** Values that a schema of the document describes; those of rules that a schema cannot say may still be refused. */
export function fromSchema(schema: unknown, all: Schema, depth = 0): fc.Arbitrary<unknown> {
  const here = schemaOf(schema)
  if (typeof here.$ref === 'string')
    return fc.constant(null).chain(() => fromSchema(all[String(here.$ref).split('/').at(-1) ?? ''], all, depth + 1))
  if ('const' in here) return fc.constant(here.const)
  if (Array.isArray(here.enum)) return fc.constantFrom(...here.enum)
  const options = listOf(here.oneOf ?? here.anyOf)
  if (options.length > 0) {
    // The first form is the plainest one of each union of ours.
    const possible = depth >= deepest ? options.slice(0, 1) : options
    return fc.oneof(...possible.map(option => fromSchema(option, all, depth + 1)))
  }
  const both = listOf(here.allOf)
  if (both.length > 0) {
    return fc.tuple(...both.map(each => fromSchema(each, all, depth + 1))).map(parts => Object.assign({}, ...parts))
  }
  switch (here.type) {
    case 'string':
      return textOf(here)
    case 'integer':
      return fc.integer({
        min: Math.max(-1e9, numberOf(here.minimum, -5)),
        max: Math.min(1e9, numberOf(here.maximum, 1000)),
      })
    case 'number':
      return fc.double({ min: numberOf(here.minimum, 0), max: Math.min(1e6, numberOf(here.maximum, 1e6)), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fromSchema(here.items, all, depth + 1), {
        minLength: numberOf(here.minItems, 0),
        maxLength: Math.max(numberOf(here.minItems, 0), depth >= deepest ? 1 : 3),
      })
    case 'object':
      return objectOf(here, all, depth)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Durations, URLs and templates are texts whose schema says less than what they have to be. */
const likely = ['1s', '200ms', 'http://127.0.0.1:9/', '{{$._env.x}}', '$.status', 'a', 'GET /x', '2026-01-01T00:00:00Z']

function textOf(schema: Schema): fc.Arbitrary<string> {
  const any = fc.oneof(
    fc.constantFrom(...likely),
    fc.string({ minLength: numberOf(schema.minLength, 0), maxLength: 40 }),
  )
  if (schema.format === 'uri') return fc.constantFrom('http://127.0.0.1:9/x', 'https://localhost/', 'ftp://x')
  if (typeof schema.pattern !== 'string') return any
  try {
    return fc.stringMatching(new RegExp(schema.pattern, 'u'))
  } catch {
    // Classes of characters by property are more than the generator reads.
    return any
  }
}

function objectOf(schema: Schema, all: Schema, depth: number): fc.Arbitrary<unknown> {
  const required = listOf(schema.required)
  const fields = Object.entries(schemaOf(schema.properties)).filter(
    ([name]) => depth < deepest || required.includes(name),
  )
  const known = fc.record(Object.fromEntries(fields.map(([name, each]) => [name, fromSchema(each, all, depth + 1)])), {
    requiredKeys: fields.map(([name]) => name).filter(name => required.includes(name)),
  })
  if (!isSchema(schema.additionalProperties)) return known
  const names = isSchema(schema.propertyNames)
    ? textOf(schema.propertyNames)
    : fc.string({ minLength: 1, maxLength: 10 })
  const more = fc.dictionary(names, fromSchema(schema.additionalProperties, all, depth + 1), { maxKeys: 2 })
  return fc.tuple(known, more).map(([a, b]) => ({ ...b, ...a }))
}

export const hostileTexts = [
  '',
  ' ',
  '.',
  '..',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '%2e%2e%2f',
  '/etc/passwd',
  'file:///etc/passwd',
  '\u0000',
  'a\u0000b',
  '\r\nset-cookie: x=1',
  '__proto__',
  'constructor',
  'toString',
  '\ud800',
  '\u202e',
  '😀'.repeat(50),
  'x'.repeat(5_000),
  '#{7*7}',
  '{{7*7}}',
  '{{$.',
  '<script>alert(1)</script>',
  "' or 1=1 --",
  '$(id)',
  '1e999',
  '-0',
  'NaN',
  'null',
  'undefined',
  'CON',
  'nul.json',
  '*',
  '{onrush}:secret',
]

const deep = JSON.parse('['.repeat(60) + ']'.repeat(60))
const hostileValues = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.constantFrom<unknown>(null, true, -1, 0, 1e308, 2 ** 53, 0.1, [], {}, deep, [[[]]], { __proto__: null, a: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** A value with one of its parts replaced by something that was not expected there. */
export const spoilt = (value: unknown): fc.Arbitrary<unknown> =>
  fc.tuple(fc.nat(40), hostileValues).map(([at, hostile]) => {
    let left = at
    const walk = (part: unknown): unknown => {
      if (left-- === 0) return hostile
      if (Array.isArray(part)) return part.map(walk)
      if (typeof part !== 'object' || part === null) return part
      return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, walk(each)]))
    }
    return walk(value)
  })

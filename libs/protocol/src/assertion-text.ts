import type { Assertion } from './assertion.ts'
import type { Json } from './json.ts'

const operatorOf = {
  '=': '$eq',
  '!=': '$ne',
  '<': '$lt',
  '<=': '$lte',
  '>': '$gt',
  '>=': '$gte',
  '~': '$regex',
} as const

const form = /^\s*(\$.*?)\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*$/s

/** `200`, `true`, `null`, `"200"`: JSON where it is JSON, text otherwise. */
function literal(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON, so it means itself: `$.entity.name=Ada` needs no quotes on a command line.
    return text
  }
}

/**
 * An assertion as one writes it in a query or on a command line: `$.status=200`, `$.time.request<800`,
 * `$.entity.name~^A`. Returns a sentence where the text is none. The first operator outside of brackets parts path from
 * literal; a filter's own comparison (`[?(@.a=='b')]`) lies within brackets.
 */
export function assertionFromText(text: string): Assertion | string {
  const path = outsideBrackets(text)
  const found = form.exec(path.masked)
  if (found === null) {
    return `expected a path, one of ${Object.keys(operatorOf).join(' ')}, and a literal, like "$.status=200", got "${text}"`
  }
  const operator = Object.entries(operatorOf).find(([sign]) => sign === found[2])?.[1] ?? '$eq'
  const value = literal(path.restore(found[3] ?? ''))
  const key = path.restore(found[1] ?? '')
  if (operator === '$eq') return { [key]: value }
  return { [key]: { [operator]: operator === '$regex' ? String(value) : value } }
}

/** Bracketed parts replaced by marks, so that what they hold is not taken for the operator. */
function outsideBrackets(text: string): { masked: string; restore: (masked: string) => string } {
  const parts: string[] = []
  let masked = ''
  let depth = 0
  let held = ''
  for (const character of text) {
    if (character === '[') depth++
    if (depth > 0) held += character
    else masked += character
    if (character === ']' && depth > 0 && --depth === 0) {
      masked += `\u0000${parts.length}\u0000`
      parts.push(held)
      held = ''
    }
  }
  masked += held
  return { masked, restore: some => some.replace(/\0(\d+)\0/g, (_, index: string) => parts[Number(index)] ?? '') }
}

/** Several assertions as one, so that none is lost when two look at the same path. */
export function joinAssertions(assertions: readonly Assertion[]): Assertion | undefined {
  const paths = assertions.flatMap(assertion => Object.keys(assertion))
  if (assertions.length === 0) return undefined
  if (new Set(paths).size === paths.length) return Object.assign({}, ...assertions)
  return { $and: [...assertions] }
}

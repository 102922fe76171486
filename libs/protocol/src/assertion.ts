import { z } from 'zod'
import type { Json } from './json.ts'
import { suggest } from './nearest.ts'

/** Operators of an assertion; `$not $and $or $nor` nest, `$all` and `$any` look at each item of a list. */
export const operators = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$regex',
  '$size',
  '$type',
  '$exists',
  '$empty',
  '$null',
  '$not',
  '$and',
  '$or',
  '$nor',
  '$all',
  '$any',
] as const
export type Operator = (typeof operators)[number]

export const typeNames = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const

/** What one path has to meet: a literal (deep equality) or operators, all of which must hold. */
export type Condition = Json
/** Paths (`$.status`) to conditions; `$and`, `$or`, `$nor` (lists) and `$not` of whole assertions stand beside paths. */
export type Assertion = { [pathOrLogic: string]: Condition }

const logic = new Set(['$and', '$or', '$nor', '$not'])
type Report = (path: (string | number)[], message: string) => void
const isMap = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for `{ $gt: 3 }`; a map whose keys do not start with `$` is a literal to compare with. */
export function isOperatorMap(condition: Json | undefined): condition is { [key: string]: Json } {
  return isMap(condition) && Object.keys(condition).some(key => key.startsWith('$'))
}

function checkArgument(operator: string, argument: Json | undefined, path: (string | number)[], report: Report): void {
  const got = JSON.stringify(argument)?.slice(0, 80)
  const template = typeof argument === 'string' && argument.includes('{{')
  switch (operator) {
    case '$and':
    case '$or':
    case '$nor':
      if (!Array.isArray(argument) || argument.length === 0) {
        report(path, `expected a list of conditions, got ${got}`)
      } else {
        for (const [i, each] of argument.entries()) checkCondition(each, [...path, i], report)
      }
      break
    case '$not':
    case '$all':
    case '$any':
      checkCondition(argument, path, report)
      break
    case '$in':
    case '$nin':
      if (!Array.isArray(argument) && !template) report(path, `expected a list of values, got ${got}`)
      break
    case '$regex':
      if (typeof argument !== 'string') report(path, `expected a regular expression as text, got ${got}`)
      break
    case '$exists':
    case '$empty':
    case '$null':
      if (typeof argument !== 'boolean') report(path, `expected true or false, got ${got}`)
      break
    case '$type':
      if (!typeNames.some(name => name === argument))
        report(path, `expected one of ${typeNames.join(', ')}, got ${got}`)
      break
    case '$size':
      if (typeof argument === 'number' || template) break
      if (isOperatorMap(argument)) checkCondition(argument, path, report)
      else report(path, `expected a count or operators on the count like { "$gt": 0 }, got ${got}`)
      break
    default:
  }
}

function checkCondition(condition: Json | undefined, path: (string | number)[], report: Report): void {
  if (!isOperatorMap(condition)) return
  for (const [key, argument] of Object.entries(condition)) {
    if (!operators.some(operator => operator === key)) {
      report([...path, key], `unknown operator "${key}" (${suggest(key, operators)})`)
    } else {
      checkArgument(key, argument, [...path, key], report)
    }
  }
}

function checkAssertion(assertion: Json | undefined, path: (string | number)[], report: Report): void {
  if (!isMap(assertion)) {
    report(
      path,
      `expected paths and conditions like { "$.status": 200 }, got ${JSON.stringify(assertion)?.slice(0, 80)}`,
    )
    return
  }
  for (const [key, condition] of Object.entries(assertion)) {
    const here = [...path, key]
    if (!logic.has(key)) {
      if (!/^\$(\.|\[|$)/.test(key)) report(here, `expected a path that starts with "$." like "$.status", got "${key}"`)
      else checkCondition(condition, here, report)
    } else if (key === '$not') {
      checkAssertion(condition, here, report)
    } else if (Array.isArray(condition) && condition.length > 0) {
      for (const [i, each] of condition.entries()) checkAssertion(each, [...here, i], report)
    } else {
      report(here, 'expected a list of assertions')
    }
  }
}

export const Assertion = z
  .record(z.string(), z.json())
  .superRefine((assertion, context) =>
    checkAssertion(assertion, [], (path, message) => context.addIssue({ code: 'custom', path, message })),
  )
  .describe('paths to conditions: { "$.status": 200, "$.entity.price": { "$gt": 0 } }')

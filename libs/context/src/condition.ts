import { isOperatorMap } from '@onrush/protocol/assertion'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { deepEqual } from './equal.ts'
import { missing } from './missing.ts'
import { ordered } from './order.ts'
import { compileRegex } from './regex-test.ts'
import { compileValue, type Template } from './template.ts'
import { never, type Test } from './test.ts'
import { toText } from './text.ts'
import { compileType, sizeOf } from './type-name.ts'

export type Condition = {
  readonly operator: string
  readonly argument: Json
  /** What is expected, with references filled in. */
  readonly expected: Template<unknown>
  readonly test: Test
  /** True when it holds references, which may find nothing. */
  readonly throws: boolean
  /** Set when the test is equality with one scalar, which is checked without a call. */
  readonly equals?: string | number | boolean | null
}

/** One condition per operator; a literal is `$eq`. */
export function compileConditions(condition: Json, where: string, faults: Fault[]): Condition[] {
  if (!isOperatorMap(condition)) return [compileCondition('$eq', condition, where, faults)]
  return Object.entries(condition).map(([operator, argument]) =>
    compileCondition(operator, argument, `${where}.${operator}`, faults),
  )
}

/** Their arguments are conditions or a pattern, whose faults are found where those are compiled. */
const nesting: ReadonlySet<string> = new Set(['$not', '$and', '$or', '$nor', '$all', '$any', '$regex'])

function compileCondition(operator: string, argument: Json, where: string, faults: Fault[]): Condition {
  const nested = nesting.has(operator) || (operator === '$size' && isOperatorMap(argument))
  const expected = compileValue(argument, where, nested ? [] : faults)
  const test = compileOperator(operator, argument, expected, where, faults)
  const { constant } = expected
  const throws = !expected.isStatic
  if (operator === '$eq' && expected.isStatic && isScalar(constant)) {
    return { operator, argument, expected, test, throws, equals: constant }
  }
  return { operator, argument, expected, test, throws }
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function compileAll(condition: Json, where: string, faults: Fault[]): Test {
  const tests = compileConditions(condition, where, faults).map(each => each.test)
  const [only] = tests
  return tests.length === 1 && only !== undefined
    ? only
    : (actual, context) => tests.every(test => test(actual, context))
}

function compileList(argument: Json, where: string, faults: Fault[]): Test[] {
  return Array.isArray(argument) ? argument.map((each, i) => compileAll(each, `${where}[${i}]`, faults)) : []
}

function compileOperator(
  operator: string,
  argument: Json,
  expected: Template<unknown>,
  where: string,
  faults: Fault[],
): Test {
  switch (operator) {
    case '$eq':
      return (actual, context) => deepEqual(actual, expected.render(context))
    case '$ne':
      return (actual, context) => !deepEqual(actual, expected.render(context))
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return ordered(operator, expected)
    case '$in':
      return (actual, context) => isAmong(actual, expected.render(context))
    case '$nin':
      return (actual, context) => !isAmong(actual, expected.render(context))
    case '$regex':
      return compileRegex(argument, where, faults)
    case '$size':
      return compileSize(argument, expected, where, faults)
    case '$type':
      return compileType(toText(argument))
    case '$exists':
      return actual => (actual !== missing) === argument
    case '$empty':
      return actual => {
        const size = sizeOf(actual)
        return size !== undefined && (size === 0) === argument
      }
    case '$null':
      return actual => actual !== missing && (actual === null) === argument
    case '$not': {
      const test = compileAll(argument, where, faults)
      return (actual, context) => !test(actual, context)
    }
    case '$and': {
      const tests = compileList(argument, where, faults)
      return (actual, context) => tests.every(test => test(actual, context))
    }
    case '$or': {
      const tests = compileList(argument, where, faults)
      return (actual, context) => tests.some(test => test(actual, context))
    }
    case '$nor': {
      const tests = compileList(argument, where, faults)
      return (actual, context) => !tests.some(test => test(actual, context))
    }
    case '$all': {
      const test = compileAll(argument, where, faults)
      return (actual, context) => Array.isArray(actual) && actual.every(item => test(item, context))
    }
    case '$any': {
      const test = compileAll(argument, where, faults)
      return (actual, context) => Array.isArray(actual) && actual.some(item => test(item, context))
    }
    default:
      faults.push({ path: where, message: `unknown operator "${operator}"` })
      return never
  }
}

function isAmong(actual: unknown, list: unknown): boolean {
  return Array.isArray(list) && list.some(item => deepEqual(actual, item))
}

function compileSize(argument: Json, expected: Template<unknown>, where: string, faults: Fault[]): Test {
  if (isOperatorMap(argument)) {
    const test = compileAll(argument, where, faults)
    return (actual, context) => {
      const size = sizeOf(actual)
      return size !== undefined && test(size, context)
    }
  }
  if (!expected.isStatic) return (actual, context) => sizeOf(actual) === expected.render(context)
  const { constant } = expected
  return actual => sizeOf(actual) === constant
}

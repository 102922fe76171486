import type { Test } from './test.ts'

/** The names of `$type`; a whole number is an `integer` and a `number`. `missing` is of none. */
export function compileType(name: string): Test {
  switch (name) {
    case 'null':
      return actual => actual === null
    case 'array':
      return actual => Array.isArray(actual)
    case 'object':
      return actual => typeof actual === 'object' && actual !== null && !Array.isArray(actual)
    case 'integer':
      return actual => Number.isInteger(actual)
    case 'string':
      return actual => typeof actual === 'string'
    default:
      return actual => typeof actual === name
  }
}

/** Characters of a text, items of a list, keys of a map. */
export function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined
}

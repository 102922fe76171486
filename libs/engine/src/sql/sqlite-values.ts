import { instantValue } from './instants.ts'
import { bigintValue, floatValue } from './numbers.ts'

const instant = /^(?:datetime|timestamp)\b/i
const truth = /^bool(?:ean)?\b/i

/**
 * SQLite stores whole numbers, floats, texts and bytes only. What a column was declared as is known for a column that is
 * selected as it is, not for an expression.
 */
export function sqliteValue(value: unknown, declared: string | null): unknown {
  switch (typeof value) {
    case 'bigint':
      if (declared !== null && truth.test(declared) && (value === 0n || value === 1n)) return value === 1n
      return bigintValue(value)
    case 'number':
      return floatValue(value)
    case 'string':
      return declared !== null && instant.test(declared) ? instantValue(value) : value
    default:
      return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
  }
}

/** The driver takes whole numbers above 2³¹ for floats, and no truth values, lists or maps at all. */
export function sqliteBinding(value: unknown): unknown {
  switch (typeof value) {
    case 'boolean':
      return value ? 1 : 0
    case 'number':
      return Number.isSafeInteger(value) && Math.abs(value) > 0x7fffffff ? BigInt(value) : value
    case 'undefined':
      return null
    case 'object':
      return value === null || value instanceof Uint8Array ? value : JSON.stringify(value)
    default:
      return value
  }
}

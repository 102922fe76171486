import { JSONPath } from 'jsonpath-plus'
import { ColumnFault } from './column-fault.ts'
import { missing } from './missing.ts'
import type { Segment } from './path-segment.ts'

/** The library cuts its paths apart by pattern: of other characters it would make operators. */
const safeKey = /^[\p{L}\p{N}_][\p{L}\p{N}_ ./-]*$/u

function quote(key: string): string {
  if (safeKey.test(key)) return `'${key}'`
  throw new ColumnFault(
    `beside wildcards and filters a name may hold letters, digits, _, space, dot, slash and -; "${key.slice(0, 40)}" does not`,
    0,
  )
}

function write(segment: Segment): string {
  switch (segment.kind) {
    case 'key':
      return `[${quote(segment.key)}]`
    case 'keys':
      return `[${segment.keys.map(quote).join(',')}]`
    case 'index':
      // The library has no negative index, but its slices count from the end.
      return segment.index >= 0
        ? `[${segment.index}]`
        : `[${segment.index}:${segment.index === -1 ? '' : segment.index + 1}]`
    case 'indexes':
      if (segment.indexes.some(index => index < 0)) throw new ColumnFault('a list of indexes counts from 0 upwards', 0)
      return `[${segment.indexes.join(',')}]`
    case 'slice':
      return `[${segment.from}:${segment.to}${segment.step === '' ? '' : `:${segment.step}`}]`
    case 'wildcard':
      return '[*]'
    case 'descent':
      return '..'
    case 'filter':
      return `[?${segment.expression}]`
    default:
      return segment satisfies never
  }
}

/** A search below a value: the list of all matches, or `missing` when there are none. */
export function compileQuery(segments: readonly Segment[]): (value: unknown) => unknown {
  const path = `$${segments
    .map(write)
    .join('')
    .replaceAll('..[*]', '..*')
    .replaceAll(/\.\.\['([\p{L}\p{N}_]+)'\]/gu, '..$1')}`
  return value => {
    if (typeof value !== 'object' || value === null) return missing
    try {
      const found: unknown = JSONPath({ path, json: value, eval: 'safe', ignoreEvalErrors: true, wrap: true })
      return Array.isArray(found) && found.length > 0 ? found : missing
    } catch (error) {
      // The library recurses: a response nested thousands deep, which nothing but an attack is, exhausts the stack.
      if (error instanceof RangeError) return missing
      throw error
    }
  }
}

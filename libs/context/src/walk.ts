import { isPlain } from './inherited.ts'
import { missing } from './missing.ts'
import type { DefiniteSegment } from './path-segment.ts'

export type Step = (value: unknown) => unknown

/** For a key that nothing inherits (see `inherited.ts`): one load. */
export function readPlain(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return missing
  const found = (value as Record<string, unknown>)[key]
  return found === undefined ? missing : found
}

/** For any key, of any value: `length` of a list or text is its own, `map` of a list is not. */
export function readOwn(value: unknown, key: string): unknown {
  if (value === null || value === undefined || !Object.hasOwn(Object(value), key)) return missing
  const found = (value as Record<string, unknown>)[key]
  return found === undefined ? missing : found
}

function readIndex(value: unknown, index: number): unknown {
  if (!Array.isArray(value)) return readOwn(value, String(index))
  const found: unknown = value[index < 0 ? value.length + index : index]
  return found === undefined ? missing : found
}

export function step(segment: DefiniteSegment): Step {
  if (segment.kind === 'index') {
    const { index } = segment
    return value => readIndex(value, index)
  }
  const { key } = segment
  return isPlain(key) ? value => readPlain(value, key) : value => readOwn(value, key)
}

/** Steps in a row; one or two, the usual case, without a loop. A step from `missing` is `missing`, as it is no object. */
export function walk(segments: readonly DefiniteSegment[]): Step {
  const steps = segments.map(step)
  const [first, second] = steps
  if (first === undefined) return value => value
  if (second === undefined) return first
  const [a, b] = segments.map(segment => (segment.kind === 'key' && isPlain(segment.key) ? segment.key : undefined))
  if (steps.length === 2 && a !== undefined && b !== undefined) return value => readPlain(readPlain(value, a), b)
  if (steps.length === 2) return value => second(first(value))
  return value => {
    let at = value
    for (let i = 0; i < steps.length && at !== missing; i++) {
      const next = steps[i]
      if (next !== undefined) at = next(at)
    }
    return at
  }
}

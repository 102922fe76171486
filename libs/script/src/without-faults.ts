import { valueAt } from '@onrush/protocol/json-path'
import type { Fault } from '@onrush/protocol/problem'
import { pathSegments } from './path-segments.ts'

type Segments = readonly (string | number)[]

/** A copy in which one named field is not there; what lies beside its path is shared. */
function without(value: unknown, [head, ...rest]: Segments): unknown {
  if (head === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, i) => (i === head ? without(item, rest) : item))
  const kept = Object.entries(value).filter(([name]) => rest.length > 0 || name !== head)
  return Object.fromEntries(kept.map(([name, each]) => [name, name === head ? without(each, rest) : each]))
}

/** The innermost field with a name: to take an item out of a list would move those behind it. */
function fieldOf(path: string): Segments {
  const segments = pathSegments(path)
  return segments.slice(0, segments.findLastIndex(segment => typeof segment === 'string') + 1)
}

/** The data without the fields that are wrong, so that the rest can be looked at all the same. */
export function withoutFaults(value: unknown, faults: readonly Fault[]): unknown {
  return faults
    .map(({ path }) => fieldOf(path))
    .reduce((rest, path) => (valueAt(rest, path) === undefined ? rest : without(rest, path)), value)
}

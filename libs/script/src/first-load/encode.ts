import type { Json } from '@onrush/protocol/json'
import { jsonPath } from '@onrush/protocol/json-path'
import type { Fault } from '@onrush/protocol/problem'

/** A function cannot leave its process; this stands in its place in the data. */
export type FunctionMarker = { $function: string }

export interface Encoded {
  readonly value: Json
  readonly faults: readonly Fault[]
  /** Every map met on the way, by its path. */
  readonly maps: ReadonlyMap<string, object>
}

/** Deeper than any script is written, and far from the depth at which JSON.stringify ends its process. */
const deepest = 200

/** JSON would drop, change or choke on these in silence; a script that holds them is told where. */
function unfit(value: unknown): string | undefined {
  switch (typeof value) {
    case 'bigint':
      return `the big integer ${value}n; write it as text`
    case 'symbol':
      return 'a symbol'
    case 'number':
      return Number.isFinite(value) ? undefined : `${value}`
    case 'object': {
      if (value === null || Array.isArray(value)) return undefined
      const prototype: unknown = Object.getPrototypeOf(value)
      if (prototype === null || prototype === Object.prototype) return undefined
      const name: unknown = value.constructor?.name
      if (value instanceof Promise) return 'a promise; await it'
      return `an instance of ${typeof name === 'string' && name !== '' ? name : 'a class'}`
    }
    default:
      return undefined
  }
}

/** A script's data as JSON can carry it, with markers for functions and a fault for whatever is not data. */
export function encode(root: unknown): Encoded {
  const faults: Fault[] = []
  const maps = new Map<string, object>()
  const above = new Set<object>()

  const walk = (value: unknown, path: (string | number)[]): Json => {
    if (typeof value === 'function') return { $function: value.name } satisfies FunctionMarker
    const reason = unfit(value)
    if (reason !== undefined) {
      faults.push({ path: jsonPath(path), message: `expected plain data, got ${reason}` })
      return null
    }
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
    if (typeof value !== 'object' || value === null) return null
    if (above.has(value) || path.length > deepest) {
      faults.push({ path: jsonPath(path), message: 'expected plain data, got a structure that holds itself' })
      return null
    }
    above.add(value)
    const copy = Array.isArray(value)
      ? Array.from(value, (each, i) => walk(each ?? null, [...path, i]))
      : Object.fromEntries(
          Object.entries(value)
            .filter(([, each]) => each !== undefined)
            .map(([key, each]) => [key, walk(each, [...path, key])]),
        )
    above.delete(value)
    if (!Array.isArray(value)) maps.set(jsonPath(path), value)
    return copy
  }

  return { value: walk(root, []), faults, maps }
}

const isMarker = (value: object): value is FunctionMarker =>
  Object.keys(value).length === 1 && '$function' in value && typeof value.$function === 'string'

/** The inverse, for checking: where a marker stands, a function stands again, which nobody can call. */
export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(decode)
  if (isMarker(value)) {
    const name = value.$function
    return () => {
      throw new Error(`the function ${name || '(anonymous)'} lives in the bundle, not in the checked data`)
    }
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, decode(each)]))
}

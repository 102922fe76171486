import type { Transform } from '@onrush/protocol/export'
import { cut } from './cut.ts'
import { compilePattern } from './pattern.ts'
import { toJsonText, toText } from './text.ts'

/** Thrown for a value that the transform cannot change: says what it got. */
export class TransformError extends Error {}

export type Change = (value: unknown) => unknown

function unable(name: string, value: unknown, wanted: string): TransformError {
  return new TransformError(`${name} needs ${wanted}, got ${cut(value, 80)}`)
}

function text(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw unable(name, value, 'a text')
}

function list(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw unable(name, value, 'a list')
}

function map(name: string, value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw unable(name, value, 'a map')
}

const attempts = {
  toNumber(value: unknown): number {
    if (typeof value === 'number') return value
    if (typeof value === 'boolean') return value ? 1 : 0
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
    if (Number.isFinite(number)) return number
    throw unable('toNumber', value, 'a number or its text')
  },
  toBoolean(value: unknown): boolean {
    if (typeof value === 'boolean') return value
    if (value === 1 || value === 'true' || value === '1') return true
    if (value === 0 || value === 'false' || value === '0') return false
    throw unable('toBoolean', value, 'true, false, 1, 0 or their text')
  },
  fromJson(value: unknown): unknown {
    try {
      return JSON.parse(text('fromJson', value))
    } catch (error) {
      if (error instanceof SyntaxError) throw unable('fromJson', value, 'JSON')
      throw error
    }
  },
  length(value: unknown): number {
    if (typeof value === 'string' || Array.isArray(value)) return value.length
    return Object.keys(map('length', value)).length
  },
  end(name: 'first' | 'last', value: unknown): unknown {
    const items = list(name, value)
    if (items.length === 0) throw unable(name, value, 'a list that is not empty')
    return items.at(name === 'first' ? 0 : -1)
  },
  urlDecode(value: unknown): string {
    try {
      return decodeURIComponent(text('urlDecode', value).replaceAll('+', ' '))
    } catch (error) {
      if (error instanceof URIError) throw unable('urlDecode', value, 'a text with whole %xx')
      throw error
    }
  },
}

type Named = Extract<Transform, string>
const named: { readonly [name in Named]: Change } = {
  toNumber: attempts.toNumber,
  toString: value => toText(value),
  toBoolean: attempts.toBoolean,
  toJson: value => toJsonText(value),
  fromJson: attempts.fromJson,
  trim: value => text('trim', value).trim(),
  upper: value => text('upper', value).toUpperCase(),
  lower: value => text('lower', value).toLowerCase(),
  length: attempts.length,
  first: value => attempts.end('first', value),
  last: value => attempts.end('last', value),
  keys: value => Object.keys(map('keys', value)),
  values: value => Object.values(map('values', value)),
  base64: value => Buffer.from(text('base64', value), 'utf8').toString('base64'),
  fromBase64: value => Buffer.from(text('fromBase64', value), 'base64').toString('utf8'),
  urlEncode: value => encodeURIComponent(text('urlEncode', value).toWellFormed()),
  urlDecode: attempts.urlDecode,
}

/** Throws `ColumnFault` for a pattern that cannot be used. */
export function compileTransform(transform: Transform): Change {
  if (typeof transform === 'string') return named[transform]
  if ('split' in transform) return value => text('split', value).split(transform.split)
  if ('join' in transform) return value => list('join', value).map(toText).join(transform.join)
  if ('slice' in transform) {
    const [from, to] = transform.slice
    return value => (Array.isArray(value) ? value.slice(from, to) : text('slice', value).slice(from, to))
  }
  if ('replace' in transform) {
    const pattern = new RegExp(compilePattern(transform.replace), 'g')
    return value => text('replace', value).replace(pattern, transform.with)
  }
  return compileGroup(transform.regex, transform.group)
}

/** The group asked for; without one the first group, or the whole match of a pattern without groups. */
function compileGroup(source: string, group: number | string | undefined): Change {
  const pattern = compilePattern(source)
  return value => {
    const found = pattern.exec(text('regex', value))
    if (found === null) throw unable('regex', value, `a match of ${source}`)
    const taken =
      typeof group === 'string'
        ? ownGroup(found, group)
        : group === undefined
          ? found[found.length > 1 ? 1 : 0]
          : found[group]
    if (taken === undefined) throw unable('regex', value, `a match of ${source} with group ${group ?? 1}`)
    return taken
  }
}

function ownGroup(found: RegExpExecArray, group: string): string | undefined {
  return found.groups !== undefined && Object.hasOwn(found.groups, group) ? found.groups[group] : undefined
}

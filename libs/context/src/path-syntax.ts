import { ColumnFault } from './column-fault.ts'
import { readFilter } from './filter-syntax.ts'
import type { Segment } from './path-segment.ts'
import { readQuoted } from './quoted.ts'
import { skipSpace } from './space.ts'

/** Each `..` visits the whole tree below it, so k of them cost n^k: two are all that real paths need. */
const mostDescents = 2
const longestPath = 1000

const name = /[\p{L}\p{N}_-]+/uy
const slice = /\[\s*(-?\d{1,9})?\s*:\s*(-?\d{1,9})?\s*(?::\s*(-?\d{1,9})?\s*)?\]/y
const whole = /\[\s*(-?\d{1,9})\s*\]/y
const numbers = /\[\s*(-?\d{1,9}(?:\s*,\s*-?\d{1,9})+)\s*\]/y
const fromEnd = /\[\s*\(\s*@\.length\s*-\s*(\d{1,9})\s*\)\s*\]/y

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Where the path that starts at `start` ends inside a longer text: `$` and then names and brackets without a gap. */
export function readPath(text: string, start: number): { segments: Segment[]; end: number } {
  const segments: Segment[] = []
  let at = start + 1
  for (;;) {
    const char = text[at]
    if (char === '[') {
      at = readBracket(text, at, segments)
    } else if (char === '.') {
      at = readDot(text, at, segments)
    } else {
      break
    }
  }
  if (at - start > longestPath) throw new ColumnFault(`a path may have ${longestPath} characters`, start)
  if (segments.filter(segment => segment.kind === 'descent').length > mostDescents) {
    throw new ColumnFault(`a path may descend with ".." ${mostDescents} times`, start)
  }
  return { segments, end: at }
}

export function parsePath(text: string): Segment[] {
  if (text[0] !== '$') throw new ColumnFault('expected a path that starts with "$." like "$.entity.token"', 0)
  const { segments, end } = readPath(text, 0)
  if (end < text.length) {
    throw new ColumnFault(
      `expected "." or "[", got "${text[end]}" (names with other characters than letters, digits, _ and - are written ['like this'])`,
      end,
    )
  }
  return segments
}

function readDot(text: string, dot: number, segments: Segment[]): number {
  let at = dot + 1
  if (text[at] === '.') {
    segments.push({ kind: 'descent' })
    at++
    if (text[at] === '[') return at
  }
  if (text[at] === '*') {
    segments.push({ kind: 'wildcard' })
    return at + 1
  }
  const found = match(name, text, at)
  if (found === null) throw new ColumnFault('expected a name or * after "."', at)
  segments.push({ kind: 'key', key: found[0] })
  return at + found[0].length
}

function readBracket(text: string, open: number, segments: Segment[]): number {
  const index = match(whole, text, open)
  if (index !== null) {
    segments.push({ kind: 'index', index: Number(index[1]) })
    return open + index[0].length
  }
  const range = match(slice, text, open)
  if (range !== null) {
    segments.push({ kind: 'slice', from: range[1] ?? '', to: range[2] ?? '', step: range[3] ?? '' })
    return open + range[0].length
  }
  const end = match(fromEnd, text, open)
  if (end !== null) {
    segments.push({ kind: 'index', index: -Number(end[1]) })
    return open + end[0].length
  }
  const several = match(numbers, text, open)
  if (several !== null) {
    segments.push({ kind: 'indexes', indexes: (several[1] ?? '').split(',').map(Number) })
    return open + several[0].length
  }
  const first = skipSpace(text, open + 1)
  const char = text[first]
  if (char === '*') {
    segments.push({ kind: 'wildcard' })
    return close(text, first + 1)
  }
  if (char === '?') {
    const { expression, end } = readFilter(text, first + 1)
    segments.push({ kind: 'filter', expression })
    return close(text, end)
  }
  if (char === "'" || char === '"') return readNames(text, first, segments)
  throw new ColumnFault('expected an index, \'a name\', *, a slice or ?(a filter) after "["', first)
}

function readNames(text: string, start: number, segments: Segment[]): number {
  const keys: string[] = []
  let at = start
  for (;;) {
    if (text[at] !== "'" && text[at] !== '"') throw new ColumnFault("expected 'a name'", at)
    const { value, end } = readQuoted(text, at)
    keys.push(value)
    at = skipSpace(text, end)
    if (text[at] !== ',') break
    at = skipSpace(text, at + 1)
  }
  const [only] = keys
  segments.push(keys.length === 1 && only !== undefined ? { kind: 'key', key: only } : { kind: 'keys', keys })
  return close(text, at)
}

function close(text: string, start: number): number {
  const at = skipSpace(text, start)
  if (text[at] !== ']') throw new ColumnFault('expected "]"', at)
  return at + 1
}

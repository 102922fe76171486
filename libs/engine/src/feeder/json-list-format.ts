import { jsonProblem, parseJsonRow } from './json-row.ts'
import type { RowFormat, RowSplitter, VisitRow } from './row-format.ts'

/** A list of JSON maps, read without ever holding the list. */
export const jsonListFormat: RowFormat = {
  splitter: fromStart => new ListSplitter(fromStart),
  problem: jsonProblem,
  parse: parseJsonRow,
}

type State = 'before' | 'between' | 'after'

const [open, close, openMap, closeMap, quote, backslash, comma, newline] = Buffer.from('[]{}"\\,\n')

/** Knows of JSON only what is needed to find where the list's items begin and end; whether they are JSON is seen later. */
class ListSplitter implements RowSplitter {
  #state: State
  #line = 1
  #problem: { line: number; message: string } | undefined

  constructor(fromStart: boolean) {
    this.#state = fromStart ? 'before' : 'between'
  }

  split(bytes: Buffer, atEnd: boolean, visit: VisitRow): number {
    let at = 0
    while (at < bytes.length) {
      const char = bytes[at] ?? 0
      if (char === newline) this.#line++
      if (char <= 32) at++
      else if (this.#state === 'between' && char === close) {
        this.#state = 'after'
        at++
      } else if (this.#state === 'between' && char === comma) at++
      else if (this.#state === 'before' && char === open) {
        this.#state = 'between'
        at++
      } else if (this.#state !== 'between') {
        const expected = this.#state === 'before' ? 'a list like [{"user": "ada"}]' : 'nothing after the list'
        this.#problem ??= {
          line: this.#line,
          message: `expected ${expected}, got ${bytes.toString('utf8', at, at + 40)}`,
        }
        return bytes.length
      } else {
        const end = endOfItem(bytes, at)
        if (end === -1) return atEnd ? bytes.length : at
        visit(at, end, this.#line)
        this.#line += linesIn(bytes, at, end)
        at = end
      }
    }
    return bytes.length
  }

  unfinished(): { line: number; message: string } | undefined {
    if (this.#problem !== undefined || this.#state === 'after') return this.#problem
    const message = this.#state === 'before' ? 'expected a list like [{"user": "ada"}]' : 'the list is never closed'
    return { line: this.#line, message }
  }
}

/** -1 when it ends beyond these bytes. */
function endOfItem(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const char = bytes[at]
    if (char === quote) {
      at = endOfText(bytes, at)
      if (at === -1) return -1
    } else if (char === openMap || char === open) depth++
    else if (char === closeMap || char === close) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (depth === 0 && char === comma) return at
  }
  return -1
}

function endOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const char = bytes[at]
    if (char === backslash) at++
    else if (char === quote) return at
  }
  return -1
}

function linesIn(bytes: Buffer, start: number, end: number): number {
  let lines = 0
  for (let at = bytes.indexOf(10, start); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}

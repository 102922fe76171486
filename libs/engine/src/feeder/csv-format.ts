import { createScope } from '@onrush/context/scope'
import type { Row } from '../session/rows.ts'
import { csvFields } from './csv-row.ts'
import type { RowFormat, RowSplitter, VisitRow } from './row-format.ts'

const newline = 10
const carriageReturn = 13
const quote = 34

/** CSV whose columns are known. Every row has as many values as there are columns. */
export class CsvFormat implements RowFormat {
  readonly #columns: readonly string[]
  readonly #delimiter: string

  constructor(columns: readonly string[], delimiter: string) {
    this.#columns = columns
    this.#delimiter = delimiter
  }

  splitter(): RowSplitter {
    return new CsvSplitter()
  }

  problem(row: Buffer): string | undefined {
    const fields = csvFields(row.toString('utf8'), this.#delimiter)
    if (typeof fields === 'string') return fields
    const expected = this.#columns.length
    if (fields.length === expected) return undefined
    return `expected ${expected} values (${this.#columns.join(', ').slice(0, 200)}), got ${fields.length}`
  }

  parse(row: Buffer): Row {
    const fields = csvFields(row.toString('utf8'), this.#delimiter)
    const scope = createScope()
    for (let i = 0; i < this.#columns.length; i++) scope[this.#columns[i] ?? ''] = fields[i] ?? ''
    return scope
  }
}

/**
 * A line break inside quotes belongs to its value. Quotes inside of values are doubled, so one that is open is closed by
 * the next, whether or not another follows at once: only their number counts. All searching is the platform's own.
 */
export class CsvSplitter implements RowSplitter {
  #line = 1
  #openedAt: number | undefined

  split(bytes: Buffer, atEnd: boolean, visit: VisitRow): number {
    let start = 0
    let nextQuote = bytes.indexOf(quote)
    while (start < bytes.length) {
      if (nextQuote !== -1 && nextQuote < start) nextQuote = bytes.indexOf(quote, start)
      let end = bytes.indexOf(newline, start)
      let lines = 1
      if (nextQuote !== -1 && (end === -1 || nextQuote < end)) {
        const found = endOfQuoted(bytes, start, nextQuote)
        this.#openedAt = found.isOpen ? this.#line : undefined
        end = found.end
        lines = found.lines
      }
      if (end === -1) {
        if (!atEnd || this.#openedAt !== undefined) return start
        end = bytes.length
      }
      const last = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end
      // A line with nothing on it is no row; files like to end with one.
      if (last > start) visit(start, last, this.#line)
      this.#line += lines
      start = end + 1
    }
    return bytes.length
  }

  unfinished(): { line: number; message: string } | undefined {
    return this.#openedAt === undefined ? undefined : { line: this.#openedAt, message: 'a quote is never closed' }
  }
}

/** Where a row with quotes ends, -1 when not within these bytes. */
function endOfQuoted(
  bytes: Buffer,
  start: number,
  firstQuote: number,
): { end: number; lines: number; isOpen: boolean } {
  let open = firstQuote
  for (;;) {
    const close = bytes.indexOf(quote, open + 1)
    if (close === -1) return { end: -1, lines: 0, isOpen: true }
    const end = bytes.indexOf(newline, close + 1)
    open = bytes.indexOf(quote, close + 1)
    if (open !== -1 && (end === -1 || open < end)) continue
    return { end, lines: end === -1 ? 0 : linesIn(bytes, start, end), isOpen: false }
  }
}

function linesIn(bytes: Buffer, start: number, end: number): number {
  let lines = 1
  for (let at = bytes.indexOf(newline, start); at < end; at = bytes.indexOf(newline, at + 1)) lines++
  return lines
}

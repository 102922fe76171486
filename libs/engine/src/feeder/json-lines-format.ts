import { jsonProblem, parseJsonRow } from './json-row.ts'
import type { RowFormat, RowSplitter, VisitRow } from './row-format.ts'

/** One JSON map on each line. */
export const jsonLinesFormat: RowFormat = {
  splitter: () => new LineSplitter(),
  problem: jsonProblem,
  parse: parseJsonRow,
}

class LineSplitter implements RowSplitter {
  #line = 1

  split(bytes: Buffer, atEnd: boolean, visit: VisitRow): number {
    let start = 0
    while (start < bytes.length) {
      let end = bytes.indexOf(10, start)
      if (end === -1) {
        if (!atEnd) return start
        end = bytes.length
      }
      if (!isBlank(bytes, start, end)) visit(start, end, this.#line)
      this.#line++
      start = end + 1
    }
    return bytes.length
  }

  unfinished(): undefined {
    return undefined
  }
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > 32) return false
  return true
}

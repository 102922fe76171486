import type { CountBook } from './count-book.ts'
import { type OpenMemory, openMemory } from './memory.ts'
import { rowTaker, type TakeRow } from './row-takers.ts'
import { readRow, rowCount } from './rows.ts'
import { StringReader } from './string-table.ts'

/** Reads along while a recorder on another thread counts. Several readers of one memory each see everything. */
export class RecorderReader {
  readonly #memory: OpenMemory
  readonly #strings: StringReader
  readonly #rows: TakeRow[] = []

  constructor(memory: SharedArrayBuffer) {
    this.#memory = openMemory(memory)
    this.#strings = new StringReader(this.#memory)
  }

  /**
   * Adds to `book` what was counted since the last call. Call it once more with `final` when the thread has ended: then
   * nothing can be missing.
   */
  takeInto(book: CountBook, options: { final?: boolean } = {}): void {
    const rows = rowCount(this.#memory)
    for (let i = this.#rows.length; i < rows; i++) {
      this.#rows.push(rowTaker({ memory: this.#memory, strings: this.#strings, row: readRow(this.#memory, i) }))
    }
    for (const take of this.#rows) take(book, options.final === true)
  }
}

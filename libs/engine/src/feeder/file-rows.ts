import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { OnrushError } from '@onrush/protocol/error'
import type { Row } from '../session/rows.ts'
import { type FeedIndex, rowFormat, rowsPerBlock } from './feed-index.ts'
import type { RowSource } from './row-source.ts'

/** Blocks kept, so that rows read in order are read from the file once. */
const keptBlocks = 64

/**
 * Any row of a file by its number. A read is synchronous: of a page that the system has in memory it takes two
 * microseconds, where a promise would cost as much again and put the session's start off by a turn of the loop.
 */
export class FileRows implements RowSource {
  readonly rows: number
  readonly #file: number
  readonly #index: FeedIndex
  readonly #starts: Float64Array
  readonly #format
  readonly #blocks = new Map<number, readonly Buffer[]>()

  constructor(index: FeedIndex) {
    this.rows = index.rows
    this.#index = index
    this.#starts = new Float64Array(index.starts)
    this.#format = rowFormat(index)
    this.#file = openSync(index.path, 'r')
    const { size, mtimeMs } = fstatSync(this.#file)
    if (size !== index.size || mtimeMs !== index.modifiedMs) {
      closeSync(this.#file)
      throw new OnrushError('conflict', `${index.path} was changed while the run was prepared; start the run again`)
    }
  }

  row(number: number): Row {
    const block = Math.floor(number / rowsPerBlock)
    const row = this.#block(block)[number % rowsPerBlock]
    // Rows were counted when the file was indexed: one that is missing now was cut off since.
    if (row === undefined) {
      throw new OnrushError('conflict', `${this.#index.path} was changed during the run: row ${number + 1} is gone`)
    }
    return this.#format.parse(row)
  }

  close(): void {
    closeSync(this.#file)
    this.#blocks.clear()
  }

  #block(block: number): readonly Buffer[] {
    const known = this.#blocks.get(block)
    if (known !== undefined) return known
    const start = this.#starts[block] ?? 0
    const length = (this.#starts[block + 1] ?? start) - start
    const bytes = Buffer.allocUnsafe(length)
    const read = readSync(this.#file, bytes, 0, length, start)
    const rows: Buffer[] = []
    this.#format.splitter(false).split(bytes.subarray(0, read), true, (from, to) => rows.push(bytes.subarray(from, to)))
    if (this.#blocks.size >= keptBlocks)
      for (const oldest of this.#blocks.keys()) {
        this.#blocks.delete(oldest)
        break
      }
    this.#blocks.set(block, rows)
    return rows
  }
}

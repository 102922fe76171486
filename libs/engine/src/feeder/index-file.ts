import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { CsvSplitter } from './csv-format.ts'
import { csvFields } from './csv-row.ts'
import type { FeedFormat } from './feed-format.ts'
import { type FeedIndex, rowFormat, rowsPerBlock } from './feed-index.ts'
import type { RowFormat } from './row-format.ts'

export interface FeedFile {
  readonly path: string
  readonly format: FeedFormat
  readonly delimiter: string
  /** Given when the file has no header. */
  readonly columns: readonly string[] | undefined
}

export interface LineFault {
  /** `undefined`: the file as a whole. */
  readonly line: number | undefined
  readonly message: string
}

const piece = 1_048_576
const longestRow = 16 * 1_048_576
const mostFaults = 20

/** Reads a file once from end to end, a piece at a time, and checks every row. Faults come instead of an index. */
export async function indexFile(file: FeedFile): Promise<FeedIndex | readonly LineFault[]> {
  const handle = await open(file.path)
  try {
    const { size, mtimeMs } = await handle.stat()
    const indexer = new Indexer(file)
    let buffer = Buffer.allocUnsafe(piece)
    let filled = 0
    for (let base = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, base + filled)
      filled += bytesRead
      const used = indexer.take(buffer.subarray(0, filled), base, bytesRead === 0)
      buffer.copyWithin(0, used, filled)
      base += used
      filled -= used
      if (bytesRead === 0 || indexer.faults.length >= mostFaults) break
      if (filled < buffer.length) continue
      if (buffer.length >= longestRow) {
        indexer.fail(
          undefined,
          `a row is longer than ${longestRow / 1_048_576} MiB; is a quote or bracket never closed?`,
        )
        break
      }
      buffer = Buffer.concat([buffer], buffer.length * 2)
    }
    return indexer.finish(size, mtimeMs)
  } finally {
    await handle.close()
  }
}

class Indexer {
  readonly faults: LineFault[] = []
  readonly #file: FeedFile
  readonly #names = new Set<string>()
  #columns: readonly string[]
  #format: RowFormat | undefined
  #splitter
  #starts = new Float64Array(1024)
  #rows = 0
  #end = 0
  #isFirst = true

  constructor(file: FeedFile) {
    this.#file = file
    this.#columns = file.columns ?? []
    if (file.format !== 'csv' || file.columns !== undefined)
      this.#format = rowFormat({ ...file, columns: this.#columns })
    this.#splitter = this.#format?.splitter(true) ?? new CsvSplitter()
  }

  /** `base` is where the bytes lie in the file. Gives how many it is done with. */
  take(bytes: Buffer, base: number, atEnd: boolean): number {
    const mark = this.#isFirst ? this.#byteOrderMark(bytes) : 0
    this.#isFirst = false
    const rest = bytes.subarray(mark)
    const used = this.#splitter.split(rest, atEnd, (start, end, line) => {
      if (this.faults.length < mostFaults) this.#row(rest.subarray(start, end), base + mark + start, line)
      this.#end = base + mark + end
    })
    return mark + used
  }

  fail(line: number | undefined, message: string): void {
    this.faults.push({ line, message })
  }

  finish(size: number, modifiedMs: number): FeedIndex | readonly LineFault[] {
    const whole = this.#splitter.unfinished()
    if (whole !== undefined) this.fail(whole.line, whole.message)
    if (this.faults.length === 0 && this.#rows === 0) this.fail(undefined, 'it has no rows')
    if (this.faults.length > 0) return this.faults
    const blocks = Math.ceil(this.#rows / rowsPerBlock)
    const starts = new Float64Array(new SharedArrayBuffer((blocks + 1) * 8))
    starts.set(this.#starts.subarray(0, blocks))
    starts[blocks] = this.#end
    const { path, format, delimiter } = this.#file
    const columns = format === 'csv' ? this.#columns : [...this.#names]
    return { path, format, delimiter, columns, rows: this.#rows, size, modifiedMs, starts: starts.buffer }
  }

  #row(row: Buffer, at: number, line: number): void {
    if (!isUtf8(row)) {
      this.fail(line, 'expected text in UTF-8, got other bytes; save the file as UTF-8')
      return
    }
    if (this.#format === undefined) {
      this.#header(row, line)
      return
    }
    const problem = this.#format.problem(row, this.#names)
    if (problem !== undefined) this.fail(line, problem)
    if (this.#rows % rowsPerBlock === 0) this.#mark(this.#rows / rowsPerBlock, at)
    this.#rows++
  }

  #header(row: Buffer, line: number): void {
    const fields = csvFields(row.toString('utf8'), this.#file.delimiter)
    const names = typeof fields === 'string' ? [] : fields
    if (typeof fields === 'string') this.fail(line, fields)
    if (names.includes('')) this.fail(line, 'a column has no name; give it one, or give all of them as "columns"')
    const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i)
    if (twice !== undefined) this.fail(line, `two columns are named ${JSON.stringify(twice)}`)
    this.#columns = names
    this.#format = rowFormat({ ...this.#file, columns: names })
  }

  #mark(block: number, at: number): void {
    if (block >= this.#starts.length) {
      const longer = new Float64Array(this.#starts.length * 2)
      longer.set(this.#starts)
      this.#starts = longer
    }
    this.#starts[block] = at
  }

  #byteOrderMark(bytes: Buffer): number {
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 3
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
    if (isWide) this.fail(1, 'expected text in UTF-8, got UTF-16; save the file as UTF-8')
    return 0
  }
}

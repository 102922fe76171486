import { CsvFormat } from './csv-format.ts'
import type { FeedFormat } from './feed-format.ts'
import { jsonLinesFormat } from './json-lines-format.ts'
import { jsonListFormat } from './json-list-format.ts'
import type { RowFormat } from './row-format.ts'

/** Rows between two known places of a file: 10 million rows are found by 5 MB of index, and one by reading 16. */
export const rowsPerBlock = 16

/** Where the rows of a file lie. Made once and shared: it can be posted to other threads as it is. */
export interface FeedIndex {
  readonly path: string
  readonly format: FeedFormat
  readonly delimiter: string
  /** Of CSV the columns in their order; of JSON every name that some row has. */
  readonly columns: readonly string[]
  readonly rows: number
  /** What the file was when it was indexed: another one has its rows elsewhere. */
  readonly size: number
  readonly modifiedMs: number
  /** Where each 16th row begins, and after the last of them where the rows end; doubles. */
  readonly starts: SharedArrayBuffer
}

export function rowFormat({
  format,
  columns,
  delimiter,
}: Pick<FeedIndex, 'format' | 'columns' | 'delimiter'>): RowFormat {
  switch (format) {
    case 'csv':
      return new CsvFormat(columns, delimiter)
    case 'jsonl':
      return jsonLinesFormat
    case 'json':
      return jsonListFormat
    default:
      return format satisfies never
  }
}

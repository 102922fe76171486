import type { Json } from './json.ts'

export interface FeedOptions {
  /** The order of the rows: as they stand (the default), shuffled once with the run's seed, or drawn again and again. */
  readonly order?: 'sequential' | 'shuffle' | 'random'
  /** `circular` begins again at the end (the default); `unique` gives each row to one session only. */
  readonly share?: 'circular' | 'unique'
  /** Unique rows used up: end the sessions (the default), or begin again. */
  readonly whenEmpty?: 'stop' | 'wrap'
}

export interface CsvOptions extends FeedOptions {
  /** Default `,`. */
  readonly delimiter?: string
  /** Names of the columns, when the file has no header. */
  readonly columns?: readonly string[]
}

export interface Row {
  readonly [column: string]: Json
}

/** Where a scenario's rows come from. Each pass through the scenario takes one row; its columns are `$._s.<column>`. */
export interface Feed extends CsvOptions {
  /** CSV, JSON (a list) or JSONL, beside the script. */
  readonly file?: string
  /** When the file's name does not tell. */
  readonly format?: 'csv' | 'json' | 'jsonl'
  /** The rows themselves, instead of a file. */
  readonly rows?: readonly Row[]
}

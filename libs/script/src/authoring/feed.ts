import type { CsvOptions, Feed, FeedOptions, Row } from './feed-types.ts'
import { placed } from './place.ts'

/** Rows of a CSV file beside the script, named by its header: `csv('users.csv', { order: 'shuffle', share: 'unique' })`. */
export function csv(file: string, options?: CsvOptions): Feed {
  return placed({ file, format: 'csv', ...options })
}

/** Rows of a JSON file beside the script: a list of maps. */
export function json(file: string, options?: FeedOptions): Feed {
  return placed({ file, format: 'json', ...options })
}

/** Rows of a file beside the script with one JSON map per line. */
export function jsonl(file: string, options?: FeedOptions): Feed {
  return placed({ file, format: 'jsonl', ...options })
}

/** The rows themselves: `rows([{ user: 'ada' }, { user: 'bob' }])`. */
export function rows(list: readonly Row[], options?: FeedOptions): Feed {
  return placed({ rows: list, ...options })
}

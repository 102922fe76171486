import { extname } from 'node:path'
import type { DataPreview } from '@onrush/protocol/data-file'
import { Json } from '@onrush/protocol/json'
import { parse } from 'csv-parse/sync'

type Row = DataPreview['rows'][number]

/** The last line of a head that was cut is cut too. */
const wholeLines = (head: string, isWhole: boolean) => (isWhole ? head : head.slice(0, head.lastIndexOf('\n') + 1))

function csv(head: string, isWhole: boolean, most: number): Omit<DataPreview, 'format'> {
  // One more than is shown tells whether there are more. A row in quotes may be cut: then the ones before it are shown.
  const options = { bom: true, relax_column_count: true, to: most + 2, skip_records_with_error: !isWhole }
  const [columns = [], ...records]: string[][] = parse(wholeLines(head, isWhole), options)
  const rows = records
    .slice(0, most)
    .map(record => Object.fromEntries(columns.map((name, i) => [name, record[i] ?? ''])))
  return { columns, rows, complete: isWhole && records.length <= most }
}

function jsonLines(head: string, isWhole: boolean, most: number): Omit<DataPreview, 'format'> {
  const lines = wholeLines(head.replace(/^\uFEFF/, ''), isWhole)
    .split('\n')
    .filter(line => line.trim() !== '')
  return listed(
    lines.slice(0, most).map(line => JSON.parse(line)),
    isWhole && lines.length <= most,
  )
}

function jsonList(head: string, isWhole: boolean, most: number): Omit<DataPreview, 'format'> {
  if (!isWhole) throw new Error('it is too large for a preview')
  const value: unknown = JSON.parse(head)
  if (!Array.isArray(value)) throw new Error('it is no list')
  return listed(value.slice(0, most), value.length <= most)
}

function listed(values: readonly unknown[], complete: boolean): Omit<DataPreview, 'format'> {
  const rows = values.map((value): Row => {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    const entries = isMap ? Object.entries(value) : [['value', value] as const]
    return Object.fromEntries(entries.map(([key, each]) => [key, Json.parse(each)]))
  })
  return { columns: [...new Set(rows.flatMap(row => Object.keys(row)))], rows, complete }
}

function text(head: string, isWhole: boolean, most: number): Omit<DataPreview, 'format'> {
  const lines = head.replace(/\n$/, '').split('\n')
  return {
    columns: ['line'],
    rows: lines.slice(0, most).map(line => ({ line })),
    complete: isWhole && lines.length <= most,
  }
}

const readers = {
  '.csv': ['csv', csv],
  '.json': ['json', jsonList],
  '.jsonl': ['jsonl', jsonLines],
  '.ndjson': ['jsonl', jsonLines],
} as const
const isKnown = (ending: string): ending is keyof typeof readers => Object.hasOwn(readers, ending)

/** The first rows of a data file as a feed would give them; as lines where it cannot be read as what its name says. */
export function previewRows(name: string, head: string, isWhole: boolean, most: number): DataPreview {
  const ending = extname(name).toLowerCase()
  if (!isKnown(ending)) return { format: 'text', ...text(head, isWhole, most) }
  const [format, read] = readers[ending]
  try {
    return { format, ...read(head, isWhole, most) }
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    return { format: 'text', ...text(head, isWhole, most), fault: `as ${format}: ${fault}` }
  }
}

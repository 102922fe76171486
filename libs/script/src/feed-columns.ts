import { open, readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Feed } from '@onrush/protocol/feed'
import { parse } from 'csv-parse/sync'

const formats: { readonly [extension: string]: NonNullable<Feed['format']> } = {
  '.csv': 'csv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
}

/** A header longer than this is no header. */
const headBytes = 1_048_576
/** A list larger than this is not read twice: its columns stay unknown until the run. */
const largestList = 64 * 1_048_576
/** Rows of JSON may differ; the first hundred are taken for all. */
const rowsSeen = 100

type Columns = string[] | string | undefined

async function headOf(file: string): Promise<{ text: string; isWhole: boolean }> {
  const handle = await open(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return { text: buffer.toString('utf8', 0, bytesRead), isWhole: bytesRead < headBytes }
  } finally {
    await handle.close()
  }
}

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

function keysOf(rows: readonly unknown[], file: string): Columns {
  const odd = rows.findIndex(row => !isMap(row))
  if (rows.length === 0) return `expected rows, but ${file} holds none`
  if (odd !== -1) return `expected maps of columns to values, but row ${odd + 1} of ${file} is none`
  return [...new Set(rows.filter(isMap).flatMap(row => Object.keys(row)))]
}

async function csvColumns(feed: Feed, file: string): Promise<Columns> {
  const { text } = await headOf(file)
  const records: string[][] = parse(text, { bom: true, delimiter: feed.delimiter ?? ',', to: 1 })
  const [header] = records
  if (header === undefined) return `expected a header and rows, but ${file} is empty`
  const columns = feed.columns ?? header
  const twice = columns.find((column, i) => columns.indexOf(column) !== i)
  if (twice !== undefined) return `two columns of ${file} are named "${twice}"`
  return [...columns]
}

async function jsonColumns(file: string): Promise<Columns> {
  if ((await stat(file)).size > largestList) return undefined
  const list: unknown = JSON.parse(await readFile(file, 'utf8'))
  return Array.isArray(list) ? keysOf(list.slice(0, rowsSeen), file) : `expected a list of rows in ${file}`
}

async function jsonlColumns(file: string): Promise<Columns> {
  const { text, isWhole } = await headOf(file)
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  // The last line of a head that was cut is cut too.
  if (!isWhole) lines.pop()
  const full = lines.filter(line => line.trim() !== '').slice(0, rowsSeen)
  return keysOf(
    full.map(line => JSON.parse(line)),
    file,
  )
}

/** The columns a feed gives, a sentence about what is wrong with it, or nothing where it is too large to tell. */
export async function feedColumns(feed: Feed, file: string | undefined): Promise<Columns> {
  if (feed.rows !== undefined) return keysOf(feed.rows, 'the feed')
  if (file === undefined) return undefined
  const format = feed.format ?? formats[extname(file).toLowerCase()]
  try {
    switch (format) {
      case 'csv':
        return await csvColumns(feed, file)
      case 'json':
        return await jsonColumns(file)
      case 'jsonl':
        return await jsonlColumns(file)
      case undefined:
        return `expected a name that ends with ${Object.keys(formats).join(', ')}, or a "format"`
      default:
        return format satisfies never
    }
  } catch (error) {
    return `${file} is not ${format}: ${error instanceof Error ? error.message : String(error)}`
  }
}

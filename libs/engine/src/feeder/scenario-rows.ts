import { feederOrder } from '@onrush/load/feeder-order'
import type { Feed } from '@onrush/protocol/feed'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import type { Row, Rows } from '../session/rows.ts'
import { seedOf } from '../session/seed.ts'
import { delimiterOf, formatOf } from './feed-format.ts'
import type { FeedIndex } from './feed-index.ts'
import { FileRows } from './file-rows.ts'
import type { FeedFile, LineFault } from './index-file.ts'
import { inlineRows, type RowSource } from './row-source.ts'
import { checkColumns } from './used-columns.ts'

/** Indexes a file, or knows who has done it already. */
export type IndexFile = (file: FeedFile) => Promise<FeedIndex | readonly LineFault[]>

export interface FeedTools {
  /** Names of files as the script writes them, to where they lie. */
  readonly files: ReadonlyMap<string, string>
  /** Of the run: which session gets which row follows from it, on whichever thread. */
  readonly seed: number
  readonly indexFile: IndexFile
}

interface Opened {
  readonly source: RowSource
  readonly columns: readonly string[]
}

/** The rows of a scenario that has a feed, or several. Whatever is wrong with them is found here. */
export async function openScenarioRows(
  scenario: Simulation['scenarios'][number],
  tools: FeedTools,
  where: string,
  faults: Fault[],
): Promise<Rows | undefined> {
  const { feed } = scenario
  if (feed === undefined) return undefined
  const feeds = Array.isArray(feed) ? feed : [feed]
  const before = faults.length
  const columns: string[] = []
  const turns: ((session: number) => Row | undefined)[] = []
  const sources: RowSource[] = []
  for (const [i, each] of feeds.entries()) {
    const opened = await openFeed(each, tools, Array.isArray(feed) ? `${where}.feed[${i}]` : `${where}.feed`, faults)
    if (opened === undefined) continue
    const { source } = opened
    const order = feederOrder(each, source.rows, seedOf(tools.seed, 'feed', scenario.name, i))
    columns.push(...opened.columns)
    sources.push(source)
    turns.push(session => {
      const row = order.rowOf(session)
      return row === undefined ? undefined : source.row(row)
    })
  }
  if (faults.length === before) checkColumns(scenario, columns, where, faults)
  const close = (): Promise<void> => {
    for (const source of sources) source.close()
    return Promise.resolve()
  }
  const [first] = turns
  return { rowOf: turns.length === 1 && first !== undefined ? first : session => merged(turns, session), close }
}

function merged(turns: readonly ((session: number) => Row | undefined)[], session: number): Row | undefined {
  const rows = turns.map(turn => turn(session))
  // `assign` would take a column named `__proto__` for something else; entries do not.
  return rows.includes(undefined) ? undefined : Object.fromEntries(rows.flatMap(row => Object.entries(row ?? {})))
}

async function openFeed(feed: Feed, tools: FeedTools, where: string, faults: Fault[]): Promise<Opened | undefined> {
  const fail = (field: string, message: string): undefined => {
    faults.push({ path: where + field, message })
    return undefined
  }
  if (feed.rows !== undefined) {
    return { source: inlineRows(feed.rows), columns: [...new Set(feed.rows.flatMap(Object.keys))] }
  }
  const name = feed.file ?? ''
  const path = tools.files.get(name)
  const format = formatOf(feed)
  if (path === undefined) return fail('.file', `there is no file "${name}" beside the script`)
  if (format === undefined) {
    return fail('.format', `expected "csv", "json" or "jsonl": the name "${name}" does not tell`)
  }
  const delimiter = delimiterOf(feed)
  if (format === 'csv' && /["\r\n]/.test(delimiter)) return fail('.delimiter', 'expected a character like "," or ";"')
  if (format !== 'csv' && feed.delimiter !== undefined) return fail('.delimiter', 'only CSV has a delimiter')
  if (format !== 'csv' && feed.columns !== undefined)
    return fail('.columns', 'rows of JSON name their values themselves')
  try {
    const found = await tools.indexFile({ path, format, delimiter, columns: feed.columns })
    if ('starts' in found) return { source: new FileRows(found), columns: found.columns }
    for (const { line, message } of found) faults.push({ path: line === undefined ? name : `${name}:${line}`, message })
    return undefined
  } catch (error) {
    return fail('.file', `cannot read "${name}": ${error instanceof Error ? error.message : String(error)}`)
  }
}

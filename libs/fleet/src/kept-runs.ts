import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing, unlessMissing } from '@onrush/protocol/missing-file'
import type { Redis } from './redis.ts'
import { openRunIds } from './run-store.ts'

export interface Keep {
  readonly runs: number
  readonly ageMs: number
  readonly bytes: number
}

export interface Kept {
  readonly runId: string
  /** Files and folders of this run. */
  readonly path: string
  readonly bytes: number
  /** Unix milliseconds. */
  readonly changedAt: number
}

/** What must go: the oldest first, until what stays is few enough, young enough and small enough. Open runs always stay. */
export function toRemove(all: readonly Kept[], keep: Keep, open: ReadonlySet<string>, now: number): Kept[] {
  const latestFirst = all.filter(({ runId }) => !open.has(runId)).sort((a, b) => b.changedAt - a.changedAt)
  let bytes = 0
  return latestFirst.filter((each, i) => {
    bytes += each.bytes
    return i >= keep.runs || now - each.changedAt > keep.ageMs || bytes > keep.bytes
  })
}

/** With its time: a name that only happens to be a possible id is not ours to remove. */
const ofRun = /^([a-z0-9][a-z0-9-]*-\d{14}-[a-z0-9]{6})(?:\.ndjson|\.unfinished)?$/

/** What lies in a folder under the ids of runs: `<runId>/…`, `<runId>.ndjson`, `<runId>.unfinished/…`. Nothing else is touched. */
export async function keptIn(folder: string): Promise<Kept[]> {
  const kept: Kept[] = []
  for (const name of await unlessMissing(readdir(folder), [])) {
    const runId = ofRun.exec(name)?.[1]
    if (runId === undefined) continue
    const path = join(folder, name)
    const found = await sizeOf(path)
    if (found !== undefined) kept.push({ runId, path, ...found })
  }
  return kept
}

/** Removes what is too much; answers the runs that are gone. */
export async function removeOldRuns(
  folder: string,
  keep: Keep,
  open: ReadonlySet<string>,
  now: number,
): Promise<string[]> {
  const old = toRemove(await keptIn(folder), keep, open, now)
  for (const { path } of old) await rm(path, { recursive: true, force: true })
  return [...new Set(old.map(({ runId }) => runId))]
}

/** The same for all runs but the open ones. Those are known to Redis alone; without it nothing is removed. */
export async function pruneRuns(redis: Redis, folder: string, keep: Keep): Promise<string[]> {
  if (redis.status !== 'ready') return []
  return await removeOldRuns(folder, keep, new Set(await openRunIds(redis)), Date.now())
}

async function sizeOf(path: string): Promise<Pick<Kept, 'bytes' | 'changedAt'> | undefined> {
  try {
    const found = await stat(path)
    if (!found.isDirectory()) return { bytes: found.size, changedAt: found.mtimeMs }
    let bytes = 0
    for (const name of await readdir(path, { recursive: true })) bytes += (await stat(join(path, name))).size
    return { bytes, changedAt: found.mtimeMs }
  } catch (error) {
    // Another reporter of this disk may have removed it meanwhile.
    if (isMissing(error)) return undefined
    throw error
  }
}

import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { isMissing, unlessMissing } from '@onrush/protocol/missing-file'

export interface AuditBounds {
  /** Of a file, before a new one is begun. */
  readonly bytes: number
  /** Older files that are kept. */
  readonly files: number
}

/** What one writer writes; services of one host share the file. */
export interface AuditPlace {
  readonly file: string
  readonly node: string
}

/**
 * Begins a new file where the next line would make this one too large, and removes the oldest ones. A file that is put
 * away keeps a name of its own for ever, `audit-<when>-<node>.ndjson`: two services that put the same file away at once
 * may end one too early, but never write over each other's.
 */
export async function makeRoom(
  { file, node }: AuditPlace,
  bytes: number,
  now: Date,
  bounds: AuditBounds,
): Promise<void> {
  const size = await unlessMissing(
    stat(file).then(stats => (stats.isFile() ? stats.size : 0)),
    0,
  )
  if (size === 0 || size + bytes <= bounds.bytes) return
  const ending = extname(file)
  const stem = basename(file, ending)
  const when = now.toISOString().replaceAll(/[^0-9TZ]/g, '')
  try {
    await rename(file, join(dirname(file), `${stem}-${when}-${node}${ending}`))
  } catch (error) {
    // The other service was faster.
    if (!isMissing(error)) throw error
  }
  const older = (await readdir(dirname(file))).filter(name => name.startsWith(`${stem}-`) && name.endsWith(ending))
  // By name is by time.
  for (const name of older.sort().slice(0, Math.max(0, older.length - bounds.files))) {
    await rm(join(dirname(file), name), { force: true })
  }
}

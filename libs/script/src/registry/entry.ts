import type { SimulationEntry } from '@onrush/protocol/simulation-entry'
import type { FoundScript } from './find-scripts.ts'
import type { ScriptRecord } from './version-store.ts'

/** A script as lists show it. `busy`: what lies in the folder is newer than the record. */
export function entryOf(
  { name, file, fault }: FoundScript,
  record: ScriptRecord | undefined,
  busy: boolean,
  now: string,
): SimulationEntry {
  if (fault !== undefined) {
    return { name, file, status: 'failed', error: fault, errors: [{ path: file, message: fault }], checkedAt: now }
  }
  if (record === undefined) return { name, file, status: 'compiling', checkedAt: now }
  const { status, error, errors, checkedAt, elapsedMs } = record
  const { hash, compiledAt, ...facts } = record.good ?? {}
  const version = hash === undefined || compiledAt === undefined ? undefined : { hash, compiledAt }
  return {
    name,
    file,
    status: busy ? 'compiling' : status,
    ...facts,
    ...(status === 'ok' && hash !== undefined ? { hash } : {}),
    ...(status === 'failed' && version !== undefined ? { lastGood: version } : {}),
    ...(error === undefined ? {} : { error }),
    ...(errors === undefined ? {} : { errors: [...errors] }),
    checkedAt,
    elapsedMs,
  }
}

import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { User } from './user.ts'

export interface Scratch {
  readonly path: string
  remove(): void
}

/** A temporary directory that belongs to whom the server runs as. */
export function makeScratch(name: string, user?: User): Scratch {
  const path = mkdtempSync(join(tmpdir(), `onrush-${name}-`))
  if (user) chownSync(path, user.uid, user.gid)
  // The server's last files may still be closing.
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) }
}

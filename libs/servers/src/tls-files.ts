import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scratch } from './scratch.ts'
import type { User } from './user.ts'

/** What a server shows to those who connect with TLS, as PEM. */
export interface ServerTls {
  readonly key: string
  readonly cert: string
}

/** Writes both where the server finds them, the key so that nobody else reads it: servers refuse one that others may read. */
export function writeTlsFiles({ path }: Scratch, { key, cert }: ServerTls, user: User | undefined) {
  const files = { key: join(path, 'tls.key'), cert: join(path, 'tls.pem') }
  writeFileSync(files.key, key, { mode: 0o600 })
  writeFileSync(files.cert, cert)
  if (user !== undefined) chownSync(files.key, user.uid, user.gid)
  return files
}

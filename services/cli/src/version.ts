import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './tree.ts'

export function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return manifest.version
}

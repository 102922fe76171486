// Exits with 0 when node_modules already holds what package-lock.json asks for. The wrapper runs this before anything
// is installed, so it may import nothing but Node's own modules.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockEntry {
  version?: string
  integrity?: string
  link?: boolean
  resolved?: string
  optional?: boolean
}

const root = join(import.meta.dirname, '../..')
// npm writes this second lock at the very end of an install, with what it really put there.
const hidden = join(root, 'node_modules/.package-lock.json')

function packages(file: string): Map<string, LockEntry> {
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(Object.entries(lock.packages).filter(([path]) => path !== ''))
}

function isInstalled(path: string, wanted: LockEntry, found: LockEntry | undefined): boolean {
  if (!found) return wanted.optional === true // another platform's binary
  if (wanted.link) return found.link === true && wanted.resolved === found.resolved && existsSync(join(root, path))
  return wanted.version === found.version && wanted.integrity === found.integrity
}

function upToDate(): boolean {
  if (!existsSync(hidden)) return false
  const found = packages(hidden)
  return [...packages(join(root, 'package-lock.json'))].every(([path, wanted]) =>
    isInstalled(path, wanted, found.get(path)),
  )
}

process.exitCode = upToDate() ? 0 : 1

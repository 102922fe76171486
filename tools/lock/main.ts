// Completes package-lock.json with the binaries of other platforms.
//
// A registry mirror may not carry the packages of platforms that nobody near it uses; npm then leaves them out of the
// lock, and afterwards `npm ci` refuses that lock everywhere ("Missing: … from lock file"). The versions are exact in the
// manifests that ask for them, so they can be written down without the registry. Only their hashes stay unknown.
// Run it after each `npm install`: node tools/lock/main.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { platformOf } from './platform.ts'

interface LockEntry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const file = join(import.meta.dirname, '../../package-lock.json')
const lock: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(file, 'utf8'))

/** The folders in which Node looks for what the package at `path` imports, nearest first. */
function folders(path: string): string[] {
  const parts = `${path}/`.split('node_modules/')
  return parts.map((_, i) => `${parts.slice(0, parts.length - i).join('node_modules/')}node_modules/`)
}

/** The folder that holds this dependency in just this version: another version further out is someone else's. */
function folderOf(path: string, name: string, version: string): string | undefined {
  return folders(path).find(folder => lock.packages[`${folder}${name}`]?.version === version)
}

const added: string[] = []
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  const wanted = Object.entries(optionalDependencies)
  // npm puts all binaries of a package side by side; the one of this platform is always there.
  const folder = wanted.map(([name, version]) => folderOf(path, name, version)).find(found => found !== undefined)
  for (const [name, version] of wanted) {
    const platform = platformOf(name)
    const exact = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)
    if (folder === undefined || platform === undefined || !exact || folderOf(path, name, version)) continue
    const { os, cpu, libc } = platform
    // The order of npm's own fields, for the same reason as the order of the entries below.
    const entry = { version, cpu, ...(dev ? { dev } : {}), ...(libc ? { libc } : {}), optional: true, os }
    lock.packages[`${folder}${name}`] = entry
    added.push(`${folder}${name} ${version}`)
  }
}

if (added.length > 0) {
  // npm keeps the entries sorted by path in this order; another one would make every install a diff.
  const byPath = ([a]: [string, LockEntry], [b]: [string, LockEntry]) => a.localeCompare(b, 'en')
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byPath))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}
console.log(added.length === 0 ? 'the lock is complete' : `added ${added.length}:\n${added.join('\n')}`)

// Enforces who may import whom (docs/architecture.md): exits 1 and names file and line of each violation.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { violationsOf } from './violations.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const skip = (path: string) => path.includes('node_modules') || path.includes('/dist/')
const list = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: skip }).map(path => path.replaceAll('\\', '/'))

const names = new Map(
  list('{libs,services}/*/package.json').map(path => {
    const manifest: unknown = JSON.parse(readFileSync(join(root, path), 'utf8'))
    if (typeof manifest !== 'object' || manifest === null || !('name' in manifest))
      throw new Error(`${path} has no name`)
    return [String(manifest.name), dirname(path)]
  }),
)
const files = list('{libs,services}/**/*.{ts,tsx}')
  .filter(path => !skip(path))
  .map(path => ({ path, source: readFileSync(join(root, path), 'utf8') }))

const violations = violationsOf(files, names)
for (const { path, line, message } of violations) console.error(`${path}:${line}: ${message}`)
console.log(
  violations.length === 0
    ? `boundaries hold in ${files.length} files`
    : `${violations.length} violations in ${files.length} files`,
)
process.exitCode = violations.length === 0 ? 0 : 1

import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { unlessMissing } from '@onrush/protocol/missing-file'
import { runTool } from './run-tool.ts'

const repository = resolve(import.meta.dirname, '../../..')

/** What the page is made of, from the repository's root. */
const sources = [
  'services/dashboard/src',
  'services/dashboard/public',
  'services/dashboard/index.html',
  'services/dashboard/vite.config.ts',
  'services/dashboard/package.json',
  'libs/protocol/src',
  'libs/load/src',
  'package-lock.json',
]

async function newest(path: string): Promise<number> {
  const found = await stat(path)
  if (!found.isDirectory()) return found.mtimeMs
  const names = await readdir(path, { recursive: true })
  const times = await Promise.all(names.map(async name => (await stat(join(path, name))).mtimeMs))
  return Math.max(found.mtimeMs, ...times)
}

const never = { mtimeMs: 0 }

async function builtAt(dist: string): Promise<number> {
  return (await unlessMissing(stat(join(dist, 'index.html')), never)).mtimeMs
}

/**
 * Builds the page that a reporter serves, where it is missing or older than its sources. It takes a few seconds, and
 * comes into place whole: another process that reads it meanwhile sees the old one or the new one.
 */
export async function buildDashboard({
  root = repository,
  say = () => {},
}: {
  root?: string
  say?: (text: string) => void
} = {}): Promise<void> {
  const folder = join(root, 'services/dashboard')
  const dist = join(folder, 'dist')
  const changedAt = Math.max(...(await Promise.all(sources.map(source => newest(join(root, source))))))
  if ((await builtAt(dist)) > changedAt) return
  say('building the dashboard (once, and after each change to it)')
  const vite = join(dirname(createRequire(join(folder, 'package.json')).resolve('vite/package.json')), 'bin/vite.js')
  const fresh = `${dist}-${process.pid}`
  const scratch = await mkdtemp(join(tmpdir(), 'onrush-build-'))
  try {
    const args = [vite, 'build', folder, '--mode', 'production', '--outDir', fresh]
    await runTool('the build of the dashboard', process.execPath, args, { cwd: scratch })
    // Somebody else may have built the same meanwhile, and serve it by now.
    if ((await builtAt(dist)) > changedAt) return
    await rm(`${fresh}-old`, { recursive: true, force: true })
    await unlessMissing(rename(dist, `${fresh}-old`), undefined)
    await rename(fresh, dist)
  } finally {
    await rm(scratch, { recursive: true, force: true })
    await rm(fresh, { recursive: true, force: true })
    await rm(`${fresh}-old`, { recursive: true, force: true })
  }
}

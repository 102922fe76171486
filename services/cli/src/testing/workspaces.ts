import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'

/** Whether any package has something to build before its tests can run. */
export function needsBuild(root: string): boolean {
  return globSync('{libs,services}/*/package.json', { cwd: root }).some(file => {
    const manifest: { scripts?: Record<string, string> } = JSON.parse(readFileSync(join(root, file), 'utf8'))
    return manifest.scripts?.build !== undefined
  })
}

/** Paths as vitest wants them, from the root; a person may write them from where they stand or from the root. */
export function fromRoot(root: string, cwd: string, paths: readonly string[]): string[] {
  const found = paths.map(path => {
    const place = [resolve(cwd, path), resolve(root, path)].find(candidate => existsSync(candidate))
    return { path, local: place === undefined ? '..' : relative(root, place) }
  })
  const errors = found
    .filter(({ local }) => local.startsWith('..'))
    .map(({ path }) => ({
      path,
      message: 'expected a file or directory of this tree, such as libs/protocol; there is none',
    }))
  if (errors.length > 0) throw new OnrushError('invalid', 'nothing to test there', { errors })
  return found.map(({ local }) => local)
}

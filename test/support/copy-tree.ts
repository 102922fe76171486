import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

const notSource = new Set(['node_modules', '.git', '.runtime', '.data', '.turbo', 'dist', 'runs', 'screenshots'])

/** Copies the sources of this tree, without anything installed, built or recorded. */
export function copySources(to: string): void {
  cpSync(root, to, { recursive: true, filter: path => path === root || !notSource.has(basename(path)) })
}

/**
 * Gives a copy the packages of this tree, without copying them: links to the packages, and for our own workspaces the
 * links that npm makes, so that the copy's packages import the copy's packages.
 */
export function linkPackages(to: string, from = join(root, 'node_modules')): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const original = join(from, name)
    if (name.startsWith('@')) linkPackages(join(to, name), original)
    else if (lstatSync(original).isSymbolicLink()) symlinkSync(readlinkSync(original), join(to, name))
    else if (name !== '.onrush-stamp' && !name.startsWith('.vite')) symlinkSync(original, join(to, name))
  }
}

/** The packages that npm put beside a workspace, because another version of them is at the top. */
export function linkNestedPackages(to: string): void {
  for (const group of ['libs', 'services'])
    for (const name of readdirSync(join(root, group))) {
      const nested = join(root, group, name, 'node_modules')
      if (existsSync(nested)) symlinkSync(nested, join(to, group, name, 'node_modules'))
    }
}

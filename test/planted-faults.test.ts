import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copySources, linkNestedPackages, linkPackages } from './support/copy-tree.ts'

// A check that never fails checks nothing. Each fault is planted in a copy of the tree, and the one command that people
// and CI run must fail and say where.

let scratch: string
let tree: string

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'onrush-planted-'))
  tree = join(scratch, 'tree')
  copySources(tree)
  linkPackages(join(tree, 'node_modules'))
  linkNestedPackages(tree)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

async function runChecks(): Promise<{ code: number | null; out: string }> {
  const child = spawn(join(tree, 'onrush'), ['test', '--checks'], {
    cwd: scratch,
    env: { ...process.env, ONRUSH_NODE: process.execPath },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code, out }
}

/** Adds lines to the end of a file, and gives the place of each as the checks write it. */
function plant(file: string, ...lines: string[]): string[] {
  const path = join(tree, file)
  const before = readFileSync(path, 'utf8').split('\n').length
  appendFileSync(path, `${lines.join('\n')}\n`)
  return lines.map((_, i) => `${file}:${before + i}`)
}

it('fails with file and line for each planted fault, and only then', { timeout: 900_000 }, async () => {
  const before = await runChecks()

  const imports = plant(
    'libs/protocol/src/duration.ts',
    "import { startRedis } from '@onrush/servers/redis'",
    "import type { Io } from '../../../services/cli/src/io.ts'",
    "export const entry = new URL('../../../services/cli/src/dispatch.ts', import.meta.url)",
    'export const uses: [typeof startRedis, Io] | undefined = undefined',
  )
  writeFileSync(join(tree, 'libs/servers/src/planted.ts'), "export const port: number = 'seven'\n")
  const [unused = ''] = plant('libs/servers/src/free-port.ts', 'export const nobodyImportsThis = 1')
  const after = await runChecks()

  expect(after.code).toBe(1)
  expect(after.out).toMatch(/^\d passed, [34] failed\n$/m)
  for (const check of ['typecheck', 'boundaries', 'knip']) expect(after.out).toContain(`✗ ${check}`)
  const places = [
    'libs/servers/src/planted.ts(1,14): error TS2322',
    // The last of the planted lines imports nothing.
    ...imports.slice(0, 3).map(place => `${place}: `),
    unused,
  ]
  for (const place of places) {
    expect(before.out).not.toContain(place)
    expect(after.out).toContain(place)
  }
})

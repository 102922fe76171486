import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, it } from 'vitest'
import { root } from '../tree.ts'
import { closingLine, type Tally } from './tally.ts'

const tree = mkdtempSync(join(tmpdir(), 'onrush-vitest-'))
symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
afterAll(() => rmSync(tree, { recursive: true }))

/** Runs one test file with the reporter, in a vitest of its own. */
function tallyOf(source: string): { tally: Tally; code: number | null } {
  writeFileSync(join(tree, 'package.json'), '{"type":"module"}')
  writeFileSync(join(tree, 'one.test.ts'), `import { afterAll, it } from 'vitest'\n${source}`)
  const file = join(tree, 'tally.json')
  const reporter = join(import.meta.dirname, 'tally-reporter.ts')
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', `--reporter=${reporter}`, `--outputFile.tally=${file}`],
    { cwd: tree, env: { PATH: process.env.PATH } },
  )
  return { tally: JSON.parse(readFileSync(file, 'utf8')), code: status }
}

it('counts passed and failed tests, and keeps the reasons of skipped ones', () => {
  const { tally, code } = tallyOf(`
    it('a', () => {})
    it('b', () => { throw new Error('b') })
    it('c', ({ skip }) => skip('no such server here'))
    it.todo('d')
    it.skip('e', () => {})`)
  expect(tally).toEqual({
    passed: 1,
    failed: 1,
    skipped: [
      { test: 'one.test.ts › c', reason: 'no such server here' },
      { test: 'one.test.ts › d', reason: 'to do' },
      { test: 'one.test.ts › e', reason: 'no reason given' },
    ],
  })
  expect(closingLine(tally)).toBe('1 passed, 1 failed, 3 skipped')
  expect(code).toBe(1)
}, 60_000)

it.each([
  ['a file that cannot be loaded', "throw new Error('at import')", 0],
  ['a hook that fails after its tests', "it('a', () => {}); afterAll(() => { throw new Error('hook') })", 1],
  [
    'an error nobody caught',
    "it('a', () => { setTimeout(() => { throw new Error('late') }); return new Promise(resolve => setTimeout(resolve, 50)) })",
    1,
  ],
])(
  'counts %s as a failure',
  (_, source, passed) => {
    expect(tallyOf(source).tally).toEqual({ passed, failed: 1, skipped: [] })
  },
  60_000,
)

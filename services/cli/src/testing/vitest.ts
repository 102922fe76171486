import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Io } from '../io.ts'
import { runNode } from '../run-node.ts'
import type { Tally } from './tally.ts'
import { childEnv } from './turbo.ts'

export interface VitestWanted {
  readonly paths: readonly string[]
  /** Also those that take minutes. */
  readonly drills: boolean
}

/** Runs the tests whose paths begin with one of these (all without any), showing vitest's own progress. */
export async function runVitest(root: string, { paths, drills }: VitestWanted, io: Io): Promise<Tally> {
  const scratch = mkdtempSync(join(tmpdir(), 'onrush-tally-'))
  const file = join(scratch, 'tally.json')
  try {
    const reporter = fileURLToPath(new URL('./tally-reporter.ts', import.meta.url))
    const args = ['run', '--reporter=default', `--reporter=${reporter}`, `--outputFile.tally=${file}`, ...paths]
    // Where nobody watches, colours are only noise in a log.
    const colours = io.out.colours ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }
    const env = { ...childEnv(io), ...colours, ...(drills ? { ONRUSH_DRILLS: '1' } : {}) }
    const code = await runNode(join(root, 'node_modules/vitest/vitest.mjs'), args, { ...io, cwd: root, env })
    return read(file, code)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** vitest's exit code has the last word: a crash may leave no tally, or one that knows nothing of what went wrong. */
function read(file: string, code: number): Tally {
  let tally: Tally
  try {
    tally = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // No tally was written: vitest ended before its tests did, and has said why above.
    return { passed: 0, failed: 1, skipped: [] }
  }
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

import type { Io, Output } from '../io.ts'
import type { Outcome } from './outcome.ts'
import { closingLine, sum, type Tally } from './tally.ts'
import { runTurbo } from './turbo.ts'
import { runVitest } from './vitest.ts'
import { needsBuild } from './workspaces.ts'

const checks = ['typecheck', 'lint', 'boundaries', 'knip']

export interface Wanted {
  /** Test only what lies here; everything when empty. */
  readonly paths: readonly string[]
  readonly onlyChecks: boolean
  readonly drills: boolean
}

/** Everything that must hold before a change is done: the checks, what must be built, the tests. */
export async function runTests(root: string, { paths, onlyChecks, drills }: Wanted, io: Io): Promise<Tally> {
  const wanted = paths.length > 0 ? ['typecheck'] : checks
  const tallies = [await runGroup('Checks', wanted, root, io)]
  if (!onlyChecks) {
    if (needsBuild(root)) tallies.push(await runGroup('Build', ['build'], root, io))
    io.out.write('Tests\n')
    tallies.push(await runVitest(root, { paths, drills }, io))
  }
  const total = sum(tallies)
  for (const { test, reason } of total.skipped) io.out.write(`skipped: ${test}: ${reason}\n`)
  io.out.write(`${closingLine(total)}\n`)
  return total
}

async function runGroup(title: string, tasks: readonly string[], root: string, io: Io): Promise<Tally> {
  io.out.write(`${title}: ${tasks.join(', ')}\n`)
  const outcomes = await runTurbo(root, tasks, io)
  for (const outcome of outcomes) show(outcome, io.out)
  const passed = outcomes.filter(outcome => outcome.passed).length
  return { passed, failed: outcomes.length - passed, skipped: [] }
}

function show({ name, passed, note, output }: Outcome, out: Output): void {
  out.write(`${passed ? '✓' : '✗'} ${name}${note === '' ? '' : ` (${note})`}\n`)
  if (!passed) out.write(`${output.trimEnd().replaceAll(/^/gm, '    ')}\n`)
}

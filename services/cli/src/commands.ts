import type { Command } from './command.ts'
import { bench } from './commands/bench.ts'
import { check } from './commands/check.ts'
import { compare } from './commands/compare.ts'
import { compile } from './commands/compile.ts'
import { demoTarget } from './commands/demo-target.ts'
import { quick } from './commands/quick.ts'
import { report } from './commands/report.ts'
import { reporter } from './commands/reporter.ts'
import { run } from './commands/run.ts'
import { test } from './commands/test.ts'
import { token } from './commands/token.ts'
import { up } from './commands/up.ts'
import { worker } from './commands/worker.ts'

/** Every command, in the order the help lists them. */
export const commands: readonly Command[] = [
  run,
  quick,
  check,
  report,
  compare,
  up,
  reporter,
  worker,
  token,
  compile,
  demoTarget,
  test,
  bench,
]

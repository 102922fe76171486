import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import { Registry } from 'onrush/registry'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { compilerPrinter } from './print-message.ts'

interface Given {
  readonly watch: boolean
  readonly pull: boolean
}

/** Compiles a folder as a reporter does, and shares with it what is known already. */
export async function compileFolder(named: string | undefined, given: Given, io: Io): Promise<number> {
  const folder = resolve(io.cwd, named ?? io.env.ONRUSH_SIMULATIONS ?? 'simulations')
  const isFolder = await stat(folder).then(
    stats => stats.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new OnrushError('invalid', `expected a folder of simulations, but ${folder} is none`)
  const registry = new Registry({
    folder,
    cacheDir: join(resolve(io.cwd, io.env.ONRUSH_DATA ?? '.data'), 'bundles', 'registry'),
    now: () => new Date(),
    git: { remote: io.env.ONRUSH_GIT_REMOTE, branch: io.env.ONRUSH_GIT_BRANCH },
    onProblem: (what, error) => io.err.write(`${what}: ${String(error)}\n`),
  })
  registry.log.subscribe(compilerPrinter(io.out))
  const outcome = await registry.compile({ pull: given.pull })
  if (given.watch) {
    await untilStopped(registry, io)
    return exitCodes.passed
  }
  if (outcome.error !== undefined) return exitCodes.internal
  return outcome.ok ? exitCodes.passed : exitCodes.scriptError
}

async function untilStopped(registry: Registry, io: Io): Promise<void> {
  const { promise, resolve: stop } = Promise.withResolvers<void>()
  const listening = io.onSignal(() => stop())
  // The watches of the folder do not keep a process alive, because services have better reasons to live.
  const alive = setInterval(() => undefined, 3_600_000)
  registry.watch()
  io.out.write('watching for changes; Ctrl-C ends it\n')
  await promise
  clearInterval(alive)
  registry.close()
  listening()
}

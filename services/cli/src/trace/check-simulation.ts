import { checkSession } from '@onrush/engine/check-session'
import { localPlan } from '@onrush/engine/run'
import { runSetup, runTeardown } from '@onrush/engine/setup'
import type { TraceEvent } from '@onrush/engine/trace'
import { OnrushError } from '@onrush/protocol/error'
import { stepOrder } from '@onrush/protocol/step-order'
import type { LoadedScript, PlacedScript } from 'onrush/loaded'
import { exitCodeOf, exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { withBundleFolder } from '../running/bundle-folder.ts'
import { chooseEnvironment, type Pair } from '../running/environment-flags.ts'
import { loadedOf, loadScript } from '../running/load-script.ts'
import { makeRunId } from '../running/run-id.ts'
import { withPlaces } from '../running/with-places.ts'
import { painter } from '../terminal/paint.ts'
import { exitCodeOfCheck } from './exit-code.ts'
import { traceText } from './trace-text.ts'

export interface CheckFlags {
  readonly 'no-run': boolean
  readonly env: string | undefined
  readonly set: readonly Pair[]
  readonly 'env-file': string | undefined
  readonly seed: number | undefined
}

/** `onrush check`: what is wrong with a simulation, one problem a line; if nothing is, one session in full. */
export async function checkSimulation(file: string, flags: CheckFlags, io: Io): Promise<number> {
  return withBundleFolder(async cacheDir => {
    let script: PlacedScript
    try {
      script = await loadScript(file, cacheDir, io)
    } catch (error) {
      if (!(error instanceof OnrushError) || error.errors.length === 0) throw error
      for (const { path, message } of error.errors) io.out.write(`${path} ${message.replaceAll('\n', ' ')}\n`)
      return exitCodeOf(error)
    }
    const environment = chooseEnvironment(
      { ...flags, environment: flags.env, env: flags.set },
      script.simulation,
      io.cwd,
    )
    const steps = stepOrder(script.simulation).length
    const { scenarios } = script.simulation
    const counted = `${scenarios.length} ${scenarios.length === 1 ? 'scenario' : 'scenarios'}, ${steps} ${steps === 1 ? 'step' : 'steps'}`
    io.out.write(`${file} is valid: ${counted}\n`)
    if (flags['no-run']) return exitCodes.passed
    const loaded = loadedOf(script)
    const plan = localPlan(loaded, {
      runId: makeRunId(script.name, new Date(), Math.random),
      threads: 1,
      env: environment.over,
      environment: environment.name,
      seed: flags.seed,
    })
    return withPlaces(script, () => traceOnce(plan, script.simulation, io))
  })
}

async function traceOnce(
  plan: ReturnType<typeof localPlan>,
  { setup: hasSetup, teardown: hasTeardown }: LoadedScript['simulation'],
  io: Io,
): Promise<number> {
  const paint = painter(io.out.colours)
  const events: TraceEvent[] = []
  const stopping = new AbortController()
  const release = io.onSignal(() => stopping.abort())
  try {
    const setup = hasSetup !== undefined ? await runSetup(plan) : null
    try {
      const show = (event: TraceEvent): void => {
        events.push(event)
        io.out.write(traceText(event, paint))
      }
      const ok = await checkSession(plan, show, { setup, signal: stopping.signal })
      return stopping.signal.aborted ? exitCodes.stopped : exitCodeOfCheck(ok, events)
    } finally {
      if (hasTeardown !== undefined) await runTeardown(plan, setup)
    }
  } finally {
    release()
  }
}

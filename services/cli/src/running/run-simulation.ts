import { join } from 'node:path'
import type { Report } from '@onrush/protocol/report'
import type { Io } from '../io.ts'
import { openLiveView } from '../live/live-view.ts'
import { openPlainView, openQuietView } from '../live/plain-view.ts'
import { summaryText } from '../summary/summary-text.ts'
import { painter } from '../terminal/paint.ts'
import { withBundleFolder } from './bundle-folder.ts'
import { carryOut } from './carry-out.ts'
import { commandLine } from './command-line.ts'
import { chooseEnvironment, type Pair } from './environment-flags.ts'
import { type LoadFlags, loadOf } from './load-flags.ts'
import { loadedOf, loadScript, shownPath } from './load-script.ts'
import { secretsOf, secretsOfScript, Veil } from './secrets.ts'
import type { View } from './view.ts'
import { withPlaces } from './with-places.ts'
import { flagWords } from './words.ts'

export interface RunFlags extends LoadFlags {
  readonly env: string | undefined
  readonly set: readonly Pair[]
  readonly 'env-file': string | undefined
  readonly threads: number | undefined
  readonly seed: number | undefined
  readonly out: string | undefined
  readonly json: boolean
  readonly quiet: boolean
}

export function viewFor(title: string, { quiet }: { readonly quiet: boolean }, io: Io): View {
  if (quiet) return openQuietView(io.err)
  return io.err.tty ? openLiveView(title, io.err) : openPlainView(title, io.err)
}

/** The summary for people, or the report for programs. */
export function printerFor({ json }: { readonly json: boolean }, io: Io, text = summaryText) {
  return (report: Report, page: string | undefined): void => {
    const { out } = io
    if (json) out.write(`${JSON.stringify(report)}\n`)
    else {
      const width = out.tty ? out.columns : Number.POSITIVE_INFINITY
      out.write(`\n${text(report, page, { paint: painter(out.colours), width })}`)
    }
  }
}

/** `onrush run`: from a file and flags to an exit code. */
export async function runSimulation(file: string, flags: RunFlags, io: Io): Promise<number> {
  return withBundleFolder(async cacheDir => {
    const script = await loadScript(file, cacheDir, io)
    const { simulation, bundle, source, name } = script
    const environment = chooseEnvironment({ ...flags, environment: flags.env, env: flags.set }, simulation, io.cwd)
    const veil = new Veil([...secretsOfScript(simulation), ...secretsOf(environment.over)])
    const load = loadOf(flags, simulation)
    const title = environment.name === undefined ? name : `${name} · ${environment.name}`
    const prepared = {
      name,
      kind: 'simulation' as const,
      loaded: loadedOf(script),
      options: {
        load,
        env: environment.over,
        environment: environment.name,
        threads: flags.threads,
        seed: flags.seed,
      },
      environment,
      script: { hash: bundle.hash, file: shownPath(file, io.cwd), source },
      command: (seed: number) => commandLine('run', [shownPath(file, io.cwd), ...shapingWords(flags, seed)], veil),
      veil,
    }
    const folder = (runId: string) => flags.out ?? join('runs', runId)
    const ways = { view: viewFor(title, flags, io), folder, print: printerFor(flags, io) }
    return withPlaces(script, () => carryOut(prepared, ways, io))
  })
}

function shapingWords(
  { out: _out, json: _json, quiet: _quiet, stage, set, ...rest }: RunFlags,
  seed: number,
): string[] {
  const stages = stage.map(({ duration, target }) => `${duration}:${target}`)
  return flagWords({ ...rest, seed, stage: stages, set: set.map(([name, value]) => `${name}=${value}`) })
}

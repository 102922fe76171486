import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import type { Job } from '@onrush/protocol/job'
import type { Fault } from '@onrush/protocol/problem'
import { Report } from '@onrush/protocol/report'
import { Simulation } from '@onrush/protocol/simulation'
import type { Workers } from '@onrush/protocol/start-fields'
import { exitCodes } from '../exit-codes.ts'
import { RemoteRuns } from '../fleet/remote-runs.ts'
import type { Io } from '../io.ts'
import { openRemoteView } from '../live/remote-view.ts'
import { withBundleFolder } from './bundle-folder.ts'
import { chooseEnvironment } from './environment-flags.ts'
import { exitCodeOfRun } from './exit-code.ts'
import { loadOf } from './load-flags.ts'
import { loadScript } from './load-script.ts'
import { printerFor, type RunFlags } from './run-simulation.ts'

export interface RemoteFlags extends RunFlags {
  readonly remote: string
  readonly workers: Workers | undefined
}

/** What belongs to this machine, or has no place in a request. */
const notRemote = ['threads', 'seed', 'max-duration', 'start-after', 'ramp-down', 'think-times'] as const
const reportFiles = ['index.html', 'report.json', 'junit.xml', 'stats.csv', 'log.ndjson']

/**
 * `onrush run --remote`: the same run on a fleet, with the same view and the same exit codes. Data (YAML, JSON) is sent
 * along; a script is called by the name it has on the reporter, whose own text of it is what runs.
 */
export async function runRemote(file: string, flags: RemoteFlags, io: Io): Promise<number> {
  refuse(flags)
  const runs = new RemoteRuns(flags.remote, io.env.ONRUSH_TOKEN)
  const { simulation, name, environment } = await simulationOf(file, flags, io)
  const spec = typeof simulation === 'string' ? nothingKnown : simulation
  const { inject } = loadOf(flags, spec)
  const { over } = chooseEnvironment({ ...flags, environment: undefined, env: flags.set }, nothingKnown, io.cwd)
  const started = await runs.start({
    simulation,
    ...(typeof simulation === 'string' ? {} : { name }),
    ...(environment === undefined ? {} : { environment }),
    ...(Object.keys(over).length === 0 ? {} : { env: over }),
    ...(inject === undefined ? {} : { inject }),
    ...(flags.workers === undefined ? {} : { workers: flags.workers }),
  })
  const { runId, links } = started
  const view = openRemoteView(environment === undefined ? name : `${name} · ${environment}`, flags, io.err)
  view.note(`${runs.urlOf(links.report)}`)
  const leaving = new AbortController()
  let signals = 0
  const release = io.onSignal(signal => {
    signals++
    if (signals > 1) {
      view.note(`${signal} again: leaving; the run ends by itself`)
      leaving.abort()
      return
    }
    view.note(`${signal}: the run is stopped, sessions that run may finish; once more leaves at once`)
    runs.stop(runId).catch((error: unknown) => view.note(`it could not be stopped: ${String(error)}`))
  })
  let job: Job | undefined
  try {
    job = await runs.follow(runId, message => view.hear(message), leaving.signal)
  } finally {
    release()
    view.close()
  }
  if (job === undefined) return exitCodes.stopped
  return await conclude(runs, job, flags, io)
}

async function conclude(runs: RemoteRuns, job: Job, flags: RemoteFlags, io: Io): Promise<number> {
  const text = await runs.reportFile(job.runId, 'report.json')
  if (text === undefined) {
    io.err.write(`the run is ${job.status}${job.error === undefined ? '' : `: ${job.error}`}\n`)
    if (job.status === 'stopped') return exitCodes.stopped
    return job.workers.some(({ status }) => status === 'lost') ? exitCodes.workerLost : exitCodes.internal
  }
  const report = Report.parse(JSON.parse(text))
  const page = flags.out === undefined ? runs.urlOf(job.links.report) : await save(runs, job, flags.out, io)
  printerFor(flags, io)(report, page)
  if (job.error !== undefined) io.err.write(`${job.error}\n`)
  // A threshold that ends a run says so itself; whatever else stopped it was somebody's wish.
  const interrupted = job.status === 'stopped' && report.thresholds.every(each => !(each.abort && !each.passed))
  const error = job.status === 'failed' ? new OnrushError('run_failed', job.error ?? 'the run failed') : undefined
  return exitCodeOfRun({ interrupted, error, report })
}

async function save(runs: RemoteRuns, job: Job, folder: string, io: Io): Promise<string> {
  const path = resolve(io.cwd, folder)
  await mkdir(path, { recursive: true })
  for (const name of reportFiles) {
    const text = await runs.reportFile(job.runId, name)
    if (text !== undefined) await writeFile(join(path, name), text)
  }
  return join(relative(io.cwd, path) || '.', 'index.html')
}

function refuse(flags: RemoteFlags): void {
  const faults: Fault[] = notRemote
    .filter(name => flags[name] !== undefined)
    .map(name => ({ path: `--${name}`, message: 'not with --remote: say it in the simulation' }))
  if (flags.users !== undefined && flags.rate !== undefined) {
    faults.push({ path: '--users', message: 'not with --rate and --remote: say "maxUsers" in the simulation' })
  }
  if (faults.length > 0) throw new OnrushError('invalid', faultsInWords('the flags', faults), { errors: faults })
}

/** Stands for a script that only the reporter knows: flags that change a part of its load cannot be read against it. */
const nothingKnown: Simulation = Simulation.parse({
  inject: [
    { type: 'nothingFor', duration: '1s' },
    { type: 'nothingFor', duration: '1s' },
  ],
  scenarios: [{ name: 'unknown', steps: [{ type: 'pause', for: '1s' }] }],
})

interface Named {
  /** A name that the reporter knows, or the simulation itself. */
  readonly simulation: string | Simulation
  readonly name: string
  readonly environment: string | undefined
}

async function simulationOf(file: string, flags: RemoteFlags, io: Io): Promise<Named> {
  if (!/\.(ya?ml|json)$/i.test(file)) {
    const name = file.replace(/^(\.\/)?simulations\//, '').replace(/\.m?[tj]s$/i, '')
    return { simulation: name, name, environment: flags.env }
  }
  return await withBundleFolder(async cacheDir => {
    const { simulation, name, files } = await loadScript(file, cacheDir, io)
    const missing = Object.keys(files)
    if (missing.length > 0) {
      throw new OnrushError(
        'invalid',
        `${file} names files (${missing.join(', ')}), which are not sent along: put it into the reporter's folder and call it by its name`,
      )
    }
    const { name: environment } = chooseEnvironment({ ...flags, environment: flags.env, env: [] }, simulation, io.cwd)
    return { simulation, name, environment }
  })
}

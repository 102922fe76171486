import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Connections, withConnections } from '@onrush/fleet/connections'
import { ContentPublisher } from '@onrush/fleet/content-publisher'
import { ContentStore } from '@onrush/fleet/content-store'
import { listen as listenToControl } from '@onrush/fleet/control'
import { Heart } from '@onrush/fleet/heart'
import { sayGoodbye } from '@onrush/fleet/heartbeat'
import { RunJob } from '@onrush/fleet/jobs'
import { nodeIdOf } from '@onrush/fleet/node-id'
import { announcing } from '@onrush/fleet/node-record'
import { machineOf, type ProcessFacts } from '@onrush/fleet/process-facts'
import { ProcessLoad } from '@onrush/fleet/process-load'
import { openRunIds } from '@onrush/fleet/run-store'
import { Seal } from '@onrush/fleet/seal'
import { fleetSecret, keepSecret } from '@onrush/fleet/secret'
import { TargetJudge } from '@onrush/protocol/targets'
import { ReportStore } from '@onrush/report/report-store'
import { answeredBy } from '@onrush/web/api-routes'
import { AuditLog } from '@onrush/web/audit'
import { addressOf, listenEarly } from '@onrush/web/early-port'
import type { Log } from '@onrush/web/log'
import { openTokens } from '@onrush/web/open-tokens'
import { Registry } from 'onrush/registry'
import { createApp } from './app.ts'
import { Prefetcher } from './compile/prefetcher.ts'
import {
  auditFile,
  cacheFolder,
  contentFolder,
  dashboardFolder,
  liveFolder,
  type ReporterConfig,
  reportsFolder,
} from './config.ts'
import { hashesInUse } from './content/in-use.ts'
import { DashboardFiles } from './dashboard-files.ts'
import { DataFolder } from './data-files/data-folder.ts'
import { NodeCalls } from './fleet/node-calls.ts'
import { aliveNodes } from './fleet/nodes.ts'
import { Reaper } from './fleet/reaper.ts'
import { keepHouse } from './housekeeping.ts'
import { LiveLog } from './live/live-log.ts'
import { LiveRuns } from './live/live-runs.ts'
import { metricsPage } from './metrics-page.ts'
import { QueueBoard } from './queue-board.ts'
import { openQueues, takeJobs } from './queues.ts'
import { planCallback } from './runs/callbacks.ts'
import { Journal } from './runs/journal.ts'
import { RunProcessor } from './runs/run-processor.ts'
import { StartRuns } from './runs/start-runs.ts'
import { Schedules } from './schedules.ts'

export interface ReporterNode {
  readonly id: string
  readonly url: string
  /** What it answers, as `GET /healthz`. */
  readonly routes: readonly string[]
  /** Takes no more, finishes the step it is at, and says goodbye. Runs go on; another reporter ends them. */
  close(): Promise<void>
}

/** Between publishing a run's contents and adding its job nothing says yet that they are in use. */
const contentGraceMs = 600_000

/** A reporter: starts runs, brings them to their end, and answers on its port. */
export function startReporter(config: ReporterConfig, facts: ProcessFacts, log: Log): Promise<ReporterNode> {
  const onError = (error: Error & { code?: string }) =>
    log('warn', 'Redis cannot be reached; trying again', { cause: error.code ?? error.message })
  return withConnections(config.redisUrl, onError, connections => begin(config, facts, log, connections))
}

async function begin(
  config: ReporterConfig,
  facts: ProcessFacts,
  log: Log,
  connections: Connections,
): Promise<ReporterNode> {
  const onRedisError = connections.onError
  const now = () => performance.now()
  const redis = await connections.open('blocking')
  const quick = await connections.open('request')
  const subscriber = await connections.open('subscriber')
  const secret = await fleetSecret(redis)
  keepSecret(redis, secret, onRedisError)
  const seal = new Seal(secret)
  const tokens = openTokens(config.access, { secret, always: false }, log)
  const load = new ProcessLoad(facts)

  const port = await listenEarly(config.host, config.port)
  const id = config.id ?? nodeIdOf('reporter', hostname(), port.port)
  const logNode: Log = (level, message, fields) => log(level, message, { node: id, ...fields })
  const address = addressOf(config.advertise, port)
  const { label } = config
  const announced = announcing({ id, role: 'reporter', address, label, version: facts.version, threads: 0 }, load)
  const queues = openQueues(redis, quick, connections)

  const jobOf = async (runId: string): Promise<RunJob | undefined> => {
    const checked = RunJob.safeParse((await queues.runs.getJob(runId))?.data)
    return checked.success ? checked.data : undefined
  }
  const liveLog = new LiveLog(liveFolder(config), error => logNode('error', 'the live log has a problem', { error }))
  const live = new LiveRuns({ redis, subscriber, reporter: id, jobOf, liveLog, now, log: logNode })
  const scripts = new Registry({
    folder: config.simulations,
    dataDir: config.dataDir,
    cacheDir: join(cacheFolder(config), 'registry'),
    now: () => new Date(),
    git: { ...config.git, targets: config.access.targets },
    onProblem: (what, error) => logNode('warn', what, { error }),
  })
  const store = new ContentStore({
    folder: contentFolder(config),
    mostBytes: config.cacheBytes,
    inUse: async () => await hashesInUse(await openRunIds(redis), jobOf),
    graceMs: contentGraceMs,
  })
  const publisher = new ContentPublisher({ store, redis: quick, address })
  const journal = new Journal(liveFolder(config))
  const judge = new TargetJudge(config.access.targets)
  const starts = new StartRuns({
    redis: quick,
    runs: queues.quickRuns,
    scripts,
    publisher,
    journal,
    cacheFolder: cacheFolder(config),
    machine: machineOf(facts),
    seal,
    mostRuns: config.mostRuns,
    judge,
  })
  const processor = new RunProcessor({
    redis,
    onRedisError,
    secret,
    live,
    liveLog,
    reportsFolder: reportsFolder(config),
    log: logNode,
    onEnd: async (job, end) => {
      await planCallback(queues.callbacks, job, end)
      logNode('info', 'a run has ended', { runId: job.plan.runId, status: end.status, verdict: end.verdict })
      live.look()
    },
  })
  const reaper = new Reaper({ redis, reporter: id, jobOf, onRedisError, now, log: logNode })
  const board = new QueueBoard({ redis, onRedisError, queues: [queues.runs, queues.ticks, queues.callbacks] })
  const calls = new NodeCalls(secret)
  const app = createApp({
    reporter: id,
    version: facts.version,
    guard: {
      tokens,
      key: secret,
      ...config.access,
      audit: new AuditLog(auditFile(config), id, () => new Date(), logNode),
      log: logNode,
    },
    redis: quick,
    starts,
    scripts,
    prefetcher: new Prefetcher({ scripts, publisher, calls }),
    store,
    dataFiles: {
      data: new DataFolder(config.simulations, config.dataDir, scripts),
      mostUploadBytes: config.mostUploadBytes,
      onChange: () => scripts.refresh(),
    },
    schedules: new Schedules(queues.quickTicks, seal, judge, scripts),
    live,
    reports: new ReportStore(reportsFolder(config)),
    calls,
    board,
    dashboard: await DashboardFiles.read(dashboardFolder),
    metrics: async () =>
      metricsPage(id, {
        openRuns: (await openRunIds(quick)).length,
        liveRuns: live.count,
        watchers: live.watchers,
        workers: (await aliveNodes(quick, 'worker')).length,
        cpuCores: load.read().cpu,
        residentBytes: facts.residentBytes(),
      }),
    log: logNode,
  })
  port.serve(app)

  await listenToControl(subscriber, message => {
    if (message.type === 'start' || message.type === 'abort') live.look()
  })
  const heart = new Heart({
    redis,
    record: () => ({ ...announced(), status: 'idle' }),
    failed: error => logNode('warn', 'a heartbeat failed', { error }),
  })
  await heart.start()
  scripts.watch()
  live.start()
  reaper.start()
  const endChores = keepHouse({
    redis,
    board,
    journal,
    liveLog,
    reportsFolder: reportsFolder(config),
    keep: config.keep,
    log: logNode,
  })
  const endTaking = await takeJobs({
    connections,
    processor,
    starts,
    callbacks: { key: config.callbackKey ?? secret, seal, judge, now: () => Date.now() },
    log: logNode,
  })
  logNode('info', 'reporter listening', { url: port.url })

  let closing: Promise<void> | undefined
  const close = async () => {
    await endTaking()
    endChores()
    scripts.close()
    reaper.stop()
    heart.stop()
    await live.stop()
    await sayGoodbye(redis, id)
    await port.close()
    await board.close()
    connections.end()
  }
  return { id, url: port.url, routes: answeredBy(app), close: () => (closing ??= close()) }
}

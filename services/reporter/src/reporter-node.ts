import { availableParallelism, cpus, freemem, hostname, totalmem } from 'node:os'
import { join } from 'node:path'
import { ContentPublisher } from '@onrush/fleet/content-publisher'
import { ContentStore } from '@onrush/fleet/content-store'
import { listen as listenToControl } from '@onrush/fleet/control'
import { sayGoodbye } from '@onrush/fleet/heartbeat'
import { RunJob } from '@onrush/fleet/jobs'
import { removeOldRuns } from '@onrush/fleet/kept-runs'
import { nodeIdOf } from '@onrush/fleet/node-id'
import { ProcessLoad, type Usage } from '@onrush/fleet/process-load'
import {
  openCallbacksQueue,
  openRunsQueue,
  openSchedulesQueue,
  takeCallbacks,
  takeRuns,
  takeTicks,
} from '@onrush/fleet/queues'
import { connectRedis, type Redis } from '@onrush/fleet/redis'
import { openRunIds } from '@onrush/fleet/run-store'
import { Seal } from '@onrush/fleet/seal'
import { fleetSecret, keepSecret } from '@onrush/fleet/secret'
import type { NodeRecord } from '@onrush/protocol/node'
import { protocolVersion } from '@onrush/protocol/protocol-version'
import { TargetJudge } from '@onrush/protocol/targets'
import { answeredBy } from '@onrush/web/api-routes'
import { AuditLog } from '@onrush/web/audit'
import { isLoopback } from '@onrush/web/bind-address'
import { type Listening, listen } from '@onrush/web/listen'
import type { Log } from '@onrush/web/log'
import { openTokens } from '@onrush/web/open-tokens'
import { Hono } from 'hono'
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
import { HeartbeatLoop } from './fleet/heartbeat-loop.ts'
import { NodeCalls } from './fleet/node-calls.ts'
import { aliveNodes } from './fleet/nodes.ts'
import { Reaper } from './fleet/reaper.ts'
import { LiveLog } from './live/live-log.ts'
import { LiveRuns } from './live/live-runs.ts'
import { metricsPage } from './metrics-page.ts'
import { QueueBoard } from './queue-board.ts'
import { ReportStore } from './reports/report-store.ts'
import { type CallbackJob, planCallback, postCallback } from './runs/callbacks.ts'
import { sweepForgotten } from './runs/forgotten-runs.ts'
import { Journal } from './runs/journal.ts'
import { RunProcessor } from './runs/run-processor.ts'
import { StartRuns } from './runs/start-runs.ts'
import { beginTick, Schedules, type Tick } from './schedules.ts'

export interface ProcessFacts extends Usage {
  readonly version: string
  readonly nodeVersion: string
  readonly platform: string
  residentBytes(): number
}

export interface ReporterNode {
  readonly id: string
  readonly url: string
  /** What it answers, as `GET /healthz`. */
  readonly routes: readonly string[]
  /** Takes no more, finishes the step it is at, and says goodbye. Runs go on; another reporter ends them. */
  close(): Promise<void>
}

const boardMs = 2_000
const sweepMs = 5_000
const pruneMs = 60_000
/** Between publishing a run's contents and adding its job nothing says yet that they are in use. */
const contentGraceMs = 600_000

/** A reporter: starts runs, brings them to their end, and answers on its port. */
export async function startReporter(config: ReporterConfig, facts: ProcessFacts, log: Log): Promise<ReporterNode> {
  const connections: Redis[] = []
  const onRedisError = (error: Error & { code?: string }) =>
    log('warn', 'Redis cannot be reached; trying again', { cause: error.code ?? error.message })
  const open = async (purpose: 'request' | 'blocking' | 'subscriber') => {
    const connection = await connectRedis(config.redisUrl, purpose, onRedisError)
    connections.push(connection)
    return connection
  }
  const disconnect = () => {
    for (const connection of connections) connection.disconnect()
  }
  try {
    return await begin(config, facts, log, { open, onRedisError, disconnect })
  } catch (error) {
    disconnect()
    throw error
  }
}

interface Connections {
  readonly open: (purpose: 'request' | 'blocking' | 'subscriber') => Promise<Redis>
  readonly onRedisError: (error: Error & { code?: string }) => void
  readonly disconnect: () => void
}

async function begin(
  config: ReporterConfig,
  facts: ProcessFacts,
  log: Log,
  { open, onRedisError, disconnect }: Connections,
): Promise<ReporterNode> {
  const startedAt = new Date().toISOString()
  const now = () => performance.now()
  const redis = await open('blocking')
  const quick = await open('request')
  const subscriber = await open('subscriber')
  const secret = await fleetSecret(redis)
  keepSecret(redis, secret, onRedisError)
  const seal = new Seal(secret)
  const tokens = openTokens(config.access, { secret, always: false }, log)
  const load = new ProcessLoad(facts)

  // The port comes first, because a reporter's id may hold it; requests that come early wait for the app.
  let app: Pick<Hono, 'fetch' | 'routes'> = new Hono()
  const listening = await listen({ fetch: (...request) => app.fetch(...request) }, config.host, config.port)
  const id = config.id ?? nodeIdOf('reporter', hostname(), listening.port)
  const logNode: Log = (level, message, fields) => log(level, message, { node: id, ...fields })
  const address = config.advertise ?? addressOf(listening, config.host)
  const record = (): NodeRecord => ({
    id,
    role: 'reporter',
    address,
    hostname: hostname(),
    ...(config.label === undefined ? {} : { label: config.label }),
    version: facts.version,
    protocol: protocolVersion,
    status: 'idle',
    startedAt,
    cores: availableParallelism(),
    threads: 0,
    memory: { total: totalmem(), used: totalmem() - freemem() },
    load: load.read().cpu,
  })
  const machine = {
    hostname: hostname(),
    platform: facts.platform,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    node: facts.nodeVersion,
    onrush: facts.version,
  }

  const runs = openRunsQueue<RunJob>(redis, onRedisError)
  const ticks = openSchedulesQueue<Tick>(redis, onRedisError)
  const callbacks = openCallbacksQueue<CallbackJob>(redis, onRedisError)
  const quickRuns = openRunsQueue<RunJob>(quick, onRedisError)
  const quickTicks = openSchedulesQueue<Tick>(quick, onRedisError)

  const jobOf = async (runId: string): Promise<RunJob | undefined> => {
    const checked = RunJob.safeParse((await runs.getJob(runId))?.data)
    return checked.success ? checked.data : undefined
  }
  const liveLog = new LiveLog(liveFolder(config), error => logNode('error', 'the live log has a problem', { error }))
  const live = new LiveRuns({ redis, subscriber, reporter: id, jobOf, liveLog, now, log: logNode })
  const scripts = new Registry({
    folder: config.simulations,
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
    runs: quickRuns,
    scripts,
    publisher,
    journal,
    cacheFolder: cacheFolder(config),
    machine,
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
      await planCallback(callbacks, job, end)
      logNode('info', 'a run has ended', { runId: job.plan.runId, status: end.status, verdict: end.verdict })
      live.look()
    },
  })
  const reaper = new Reaper({ redis, reporter: id, jobOf, onRedisError, now, log: logNode })
  const board = new QueueBoard({ redis, onRedisError, queues: [runs, ticks, callbacks] })
  const calls = new NodeCalls(secret)
  app = createApp({
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
      data: new DataFolder(config.simulations),
      mostUploadBytes: config.mostUploadBytes,
      onChange: () => scripts.refresh(),
    },
    schedules: new Schedules(quickTicks, seal, judge),
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

  await listenToControl(subscriber, message => {
    if (message.type === 'start' || message.type === 'abort') live.look()
  })
  const heart = new HeartbeatLoop(redis, record, logNode)
  await heart.start()
  scripts.watch()
  live.start()
  reaper.start()
  const boarding = setInterval(() => {
    board
      .sync()
      .catch((error: unknown) => logNode('warn', 'the queue dashboard could not be brought up to date', { error }))
  }, boardMs)
  const forgotten = { redis, journal, liveLog, reportsFolder: reportsFolder(config), log: logNode }
  const sweeping = setInterval(() => {
    // Right after Redis is back a run may seem lost while it is still being read.
    if (redis.status !== 'ready') return
    sweepForgotten(forgotten).catch((error: unknown) => logNode('warn', 'the journal could not be swept', { error }))
  }, sweepMs)
  const pruning = setInterval(() => {
    prune().catch((error: unknown) => logNode('warn', 'old reports could not be removed', { error }))
  }, pruneMs)
  const prune = async () => {
    // What runs is known to Redis alone; without it nothing is removed.
    if (redis.status !== 'ready') return
    const open = new Set(await openRunIds(redis))
    const gone = await removeOldRuns(reportsFolder(config), config.keep, open, Date.now())
    if (gone.length > 0) logNode('info', 'old reports were removed', { runs: gone.length })
  }
  const takers = [
    takeRuns<unknown, unknown>(
      await open('blocking'),
      (job, token = '') => processor.process(job, token),
      onRedisError,
    ),
    takeTicks<Tick>(
      await open('blocking'),
      async job => {
        try {
          await beginTick(starts, seal, job)
        } catch (error) {
          // Nobody waits for its answer: who looks for the run that is missing finds the reason here.
          logNode('error', 'a scheduled run could not begin', { schedule: job.data.id, error })
          throw error
        }
      },
      onRedisError,
    ),
    takeCallbacks<CallbackJob>(
      await open('blocking'),
      job =>
        postCallback(
          {
            key: config.callbackKey ?? secret,
            seal,
            judge,
            now: () => Date.now(),
          },
          job,
        ),
      onRedisError,
    ),
  ]
  logNode('info', 'reporter listening', { url: listening.url })

  let closing: Promise<void> | undefined
  const close = async () => {
    await Promise.all(takers.map(taker => taker.close()))
    clearInterval(boarding)
    clearInterval(sweeping)
    clearInterval(pruning)
    scripts.close()
    reaper.stop()
    heart.stop()
    await live.stop()
    await sayGoodbye(redis, id)
    await listening.close()
    await board.close()
    disconnect()
  }
  return { id, url: listening.url, routes: answeredBy(app), close: () => (closing ??= close()) }
}

/** Where others reach us: what we listen on, or this host's name where that is every address. */
function addressOf(listening: Listening, host: string): string {
  return isLoopback(host) || host !== '0.0.0.0' ? listening.url : `http://${hostname()}:${listening.port}`
}

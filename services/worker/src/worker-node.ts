import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Connections, withConnections } from '@onrush/fleet/connections'
import { ContentFetcher } from '@onrush/fleet/content-fetcher'
import { ContentPublisher } from '@onrush/fleet/content-publisher'
import { ContentStore } from '@onrush/fleet/content-store'
import { Heart } from '@onrush/fleet/heart'
import { sayGoodbye } from '@onrush/fleet/heartbeat'
import { jobRefused } from '@onrush/fleet/job-refused'
import { WorkerJob } from '@onrush/fleet/jobs'
import { pruneRuns } from '@onrush/fleet/kept-runs'
import { nodeIdOf } from '@onrush/fleet/node-id'
import { machineOf, type ProcessFacts } from '@onrush/fleet/process-facts'
import { ProcessLoad } from '@onrush/fleet/process-load'
import { takeShards } from '@onrush/fleet/queues'
import { repeat } from '@onrush/fleet/repeat'
import { releaseWorker } from '@onrush/fleet/reservation'
import { Seal } from '@onrush/fleet/seal'
import { fleetSecret, keepSecret } from '@onrush/fleet/secret'
import type { EngineMonitorMessage } from '@onrush/protocol/monitor'
import { ReportStore } from '@onrush/report/report-store'
import { answeredBy } from '@onrush/web/api-routes'
import { AuditLog } from '@onrush/web/audit'
import { addressOf, listenEarly } from '@onrush/web/early-port'
import type { Log } from '@onrush/web/log'
import { openTokens } from '@onrush/web/open-tokens'
import { Registry } from 'onrush/registry'
import { createApp, stateMessage } from './app.ts'
import { BundleCache } from './bundle-cache.ts'
import { auditFile, cacheFolder, contentFolder, reportsFolder, runsFolder, type WorkerConfig } from './config.ts'
import { ControlHub } from './control-hub.ts'
import { describeNode } from './describe-node.ts'
import { EngineSlot } from './engine-slot.ts'
import { metricsPage } from './metrics-page.ts'
import { MonitorHub } from './monitor-hub.ts'
import { followPulse } from './pulse.ts'
import { AloneRuns } from './run-alone.ts'
import { ShardRunner } from './shard-runner.ts'
import { takeOver } from './take-over.ts'

const pruneMs = 60_000

export interface WorkerNode {
  readonly id: string
  readonly url: string
  /** What it answers, as `GET /healthz`. */
  readonly routes: readonly string[]
  /** Ends in good order: no new shard, the running one drains, and the fleet is told goodbye. */
  close(reason: string): Promise<void>
  /** Ends what runs at once. */
  abort(reason: string): void
}

/** A worker: takes shards from its queue and runs them, one at a time, and answers on its own port. */
export function startWorker(config: WorkerConfig, facts: ProcessFacts, log: Log): Promise<WorkerNode> {
  const onError = (error: Error & { code?: string }) =>
    log('warn', 'Redis cannot be reached; trying again', { cause: error.code ?? error.message })
  return withConnections(config.redisUrl, onError, connections => begin(config, facts, log, connections))
}

async function begin(
  config: WorkerConfig,
  facts: ProcessFacts,
  log: Log,
  connections: Connections,
): Promise<WorkerNode> {
  const { onError } = connections
  const redis = await connections.open('blocking')
  const slot = new EngineSlot(() => new Date())
  const load = new ProcessLoad(facts)
  const hub = await ControlHub.open(await connections.open('subscriber'))
  const monitor = new MonitorHub<EngineMonitorMessage>(() => performance.now())
  const secret = await fleetSecret(redis)
  keepSecret(redis, secret, onError)
  const tokens = openTokens(config.access, { secret, always: config.reachable }, log)

  const port = await listenEarly(config.host, config.port)
  const id = config.id ?? nodeIdOf('worker', hostname(), port.port)
  const logNode: Log = (level, message, fields) => log(level, message, { node: id, ...fields })
  const machine = machineOf(facts)
  const address = addressOf(config.advertise, port)
  const store = new ContentStore({ folder: contentFolder(config), mostBytes: config.cacheBytes })
  const fetcher = new ContentFetcher({ store, redis, secret, node: id })
  const cache = new BundleCache({ folder: contentFolder(config), store, fetcher, worker: id })
  await cache.open()
  const logFolder = runsFolder(config)
  const runner = new ShardRunner({
    redis,
    hub,
    worker: id,
    threads: config.threads,
    slot,
    cache,
    logFolder,
    targets: config.access.targets,
    seal: new Seal(secret),
    onMessage: message => {
      monitor.send(message)
      alone.see(message)
    },
    log: logNode,
  })
  const registry = new Registry({
    folder: config.simulations,
    dataDir: config.dataDir,
    cacheDir: join(cacheFolder(config), 'registry'),
    now: () => new Date(),
    git: { ...config.git, targets: config.access.targets },
    onProblem: (what, error) => logNode('warn', what, { error }),
  })
  const alone = new AloneRuns({
    redis,
    worker: id,
    threads: config.threads,
    runner,
    slot,
    reportsFolder: reportsFolder(config),
    cacheFolder: cacheFolder(config),
    machine,
    publisher: new ContentPublisher({ store, redis: undefined, address }),
    loadNamed: name => registry.load(name),
    log: logNode,
  })
  const describe = describeNode({ id, config, address, version: facts.version, slot, load })
  const app = createApp({
    worker: id,
    version: facts.version,
    guard: {
      tokens,
      key: secret,
      ...config.access,
      audit: new AuditLog(auditFile(config), id, () => new Date(), logNode),
      log: logNode,
    },
    slot,
    status: describe.status,
    metrics: () => metricsPage(id, slot.view, load.read(), facts.residentBytes()),
    alone,
    monitor,
    registry,
    cache,
    logFolder,
    reports: new ReportStore(reportsFolder(config)),
  })
  port.serve(app)

  slot.onChange(() => monitor.send(stateMessage(id, slot)))
  hub.on(message => {
    if (message.type === 'stop') slot.stop(message.reason, message.run)
    if (message.type === 'abort') slot.abort(message.reason, message.run)
  })
  const heart = new Heart({
    redis,
    record: describe.record,
    ...followPulse(slot, logNode),
    failed: error => logNode('warn', 'a heartbeat failed', { error }),
  })
  await takeOver(redis, id, onError)
  await heart.start()
  const pruning = repeat(
    pruneMs,
    async () => {
      await pruneRuns(redis, logFolder, config.keep)
      await pruneRuns(redis, reportsFolder(config), config.keep)
    },
    error => logNode('warn', 'old run logs and reports could not be removed', { error }),
  )
  const ticking = setInterval(() => monitor.tick(), 1_000)
  const taker = takeShards<unknown, unknown>(
    id,
    await connections.open('blocking'),
    async job => {
      const checked = WorkerJob.safeParse(job.data)
      if (!checked.success) {
        throw jobRefused(job.data, `worker ${id}`)
      }
      return await runner.execute(checked.data)
    },
    onError,
  )
  logNode('info', 'worker listening', { url: port.url, threads: config.threads })

  let closing: Promise<void> | undefined
  const close = async (reason: string) => {
    slot.stop(reason)
    await slot.idle
    await alone.settled()
    await taker.close()
    heart.stop()
    clearInterval(ticking)
    pruning.stop()
    const { runId } = slot.view
    if (runId !== undefined) await releaseWorker(redis, id, runId)
    await sayGoodbye(redis, id)
    await port.close()
    connections.end()
  }
  return {
    id,
    url: port.url,
    routes: answeredBy(app),
    close: reason => (closing ??= close(reason)),
    abort: reason => {
      slot.abort(reason)
    },
  }
}

import { availableParallelism, cpus, hostname, totalmem } from 'node:os'
import { join } from 'node:path'
import { ContentFetcher } from '@onrush/fleet/content-fetcher'
import { ContentPublisher } from '@onrush/fleet/content-publisher'
import { ContentStore } from '@onrush/fleet/content-store'
import { sayGoodbye } from '@onrush/fleet/heartbeat'
import { jobRefused } from '@onrush/fleet/job-refused'
import { WorkerJob } from '@onrush/fleet/jobs'
import { removeOldRuns } from '@onrush/fleet/kept-runs'
import { nodeIdOf } from '@onrush/fleet/node-id'
import { ProcessLoad, type Usage } from '@onrush/fleet/process-load'
import { takeShards } from '@onrush/fleet/queues'
import { connectRedis, type OnRedisError, type Redis } from '@onrush/fleet/redis'
import { releaseWorker } from '@onrush/fleet/reservation'
import { openRunIds } from '@onrush/fleet/run-store'
import { Seal } from '@onrush/fleet/seal'
import { fleetSecret, keepSecret } from '@onrush/fleet/secret'
import { limits } from '@onrush/protocol/limits'
import type { EngineMonitorMessage } from '@onrush/protocol/monitor'
import { answeredBy } from '@onrush/web/api-routes'
import { AuditLog } from '@onrush/web/audit'
import { isLoopback } from '@onrush/web/bind-address'
import { type Listening, listen } from '@onrush/web/listen'
import type { Log } from '@onrush/web/log'
import { openTokens } from '@onrush/web/open-tokens'
import { Hono } from 'hono'
import { Registry } from 'onrush/registry'
import { createApp, stateMessage } from './app.ts'
import { BundleCache } from './bundle-cache.ts'
import { auditFile, cacheFolder, contentFolder, runsFolder, type WorkerConfig } from './config.ts'
import { ControlHub } from './control-hub.ts'
import { describeNode } from './describe-node.ts'
import { EngineSlot } from './engine-slot.ts'
import { HeartbeatLoop } from './heartbeat-loop.ts'
import { metricsPage } from './metrics-page.ts'
import { MonitorHub } from './monitor-hub.ts'
import { AloneRuns } from './run-alone.ts'
import { ShardRunner } from './shard-runner.ts'
import { takeOver } from './take-over.ts'

const pruneMs = 60_000
const mostWatchers = limits.workerWatchers.value

export interface ProcessFacts extends Usage {
  readonly version: string
  readonly nodeVersion: string
  readonly platform: string
  residentBytes(): number
}

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
export async function startWorker(config: WorkerConfig, facts: ProcessFacts, log: Log): Promise<WorkerNode> {
  const onError = (error: Error & { code?: string }) =>
    log('warn', 'Redis cannot be reached; trying again', { cause: error.code ?? error.message })
  const open = (purpose: 'blocking' | 'subscriber') => connectRedis(config.redisUrl, purpose, onError)
  const redis = await open('blocking')
  const connections: Redis[] = [redis]
  const another = async (purpose: 'blocking' | 'subscriber') => {
    const connection = await open(purpose)
    connections.push(connection)
    return connection
  }
  try {
    return await begin(config, facts, log, onError, redis, another, () => {
      for (const connection of connections) connection.disconnect()
    })
  } catch (error) {
    for (const connection of connections) connection.disconnect()
    throw error
  }
}

async function begin(
  config: WorkerConfig,
  facts: ProcessFacts,
  log: Log,
  onError: OnRedisError,
  redis: Redis,
  another: (purpose: 'blocking' | 'subscriber') => Promise<Redis>,
  disconnect: () => void,
): Promise<WorkerNode> {
  const startedAt = new Date().toISOString()
  const slot = new EngineSlot(() => new Date())
  const load = new ProcessLoad(facts)
  const hub = await ControlHub.open(await another('subscriber'))
  const monitor = new MonitorHub<EngineMonitorMessage>(() => performance.now(), mostWatchers)
  const secret = await fleetSecret(redis)
  keepSecret(redis, secret, onError)
  const tokens = openTokens(config.access, { secret, always: config.reachable }, log)

  // The port comes first, because a worker's id may hold it; requests that come early wait for the app.
  let app: Pick<Hono, 'fetch' | 'routes'> = new Hono()
  const listening = await listen({ fetch: (...request) => app.fetch(...request) }, config.host, config.port)
  const id = config.id ?? nodeIdOf('worker', hostname(), listening.port)
  const logNode: Log = (level, message, fields) => log(level, message, { node: id, ...fields })
  const machine = {
    hostname: hostname(),
    platform: facts.platform,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    node: facts.nodeVersion,
    onrush: facts.version,
  }
  const address = config.advertise ?? addressOf(listening, config.host)
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
    onMessage: message => monitor.send(message),
    log: logNode,
  })
  const registry = new Registry({
    folder: config.simulations,
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
    cacheFolder: cacheFolder(config),
    machine,
    publisher: new ContentPublisher({ store, redis: undefined, address }),
    loadNamed: name => registry.load(name),
    log: logNode,
  })
  const describe = describeNode({
    id,
    config,
    address,
    version: facts.version,
    hostname: machine.hostname,
    cores: machine.cores,
    startedAt,
    slot,
    load,
  })
  app = createApp({
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
  })

  slot.onChange(() => monitor.send(stateMessage(id, slot)))
  hub.on(message => {
    if (message.type === 'stop') slot.stop(message.reason, message.run)
    if (message.type === 'abort') slot.abort(message.reason, message.run)
  })
  const heart = new HeartbeatLoop({
    redis,
    slot,
    record: describe.record,
    newIncarnation: () => crypto.randomUUID(),
    log: logNode,
  })
  await takeOver(redis, id, onError)
  await heart.start()
  const pruning = setInterval(() => {
    prune().catch((error: unknown) => logNode('warn', 'old run logs could not be removed', { error }))
  }, pruneMs)
  const prune = async () => {
    // What runs is known to Redis alone; without it nothing is removed.
    if (redis.status !== 'ready') return
    await removeOldRuns(logFolder, config.keep, new Set(await openRunIds(redis)), Date.now())
  }
  const ticking = setInterval(() => monitor.tick(), 1_000)
  const taker = takeShards<unknown, unknown>(
    id,
    await another('blocking'),
    async job => {
      const checked = WorkerJob.safeParse(job.data)
      if (!checked.success) {
        throw jobRefused(job.data, `worker ${id}`)
      }
      return await runner.execute(checked.data)
    },
    onError,
  )
  logNode('info', 'worker listening', { url: listening.url, threads: config.threads })

  let closing: Promise<void> | undefined
  const close = async (reason: string) => {
    slot.stop(reason)
    await slot.idle
    await taker.close()
    heart.stop()
    clearInterval(ticking)
    clearInterval(pruning)
    const { runId } = slot.view
    if (runId !== undefined) await releaseWorker(redis, id, runId)
    await sayGoodbye(redis, id)
    await listening.close()
    disconnect()
  }
  return {
    id,
    url: listening.url,
    routes: answeredBy(app),
    close: reason => (closing ??= close(reason)),
    abort: reason => {
      slot.abort(reason)
    },
  }
}

/** Where others reach us: what we listen on, or this host's name where that is every address. */
function addressOf(listening: Listening, host: string): string {
  return isLoopback(host) || host !== '0.0.0.0' ? listening.url : `http://${hostname()}:${listening.port}`
}

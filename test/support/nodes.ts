import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { type Redis, startRedis } from '@onrush/servers/redis'
import { jsonLog } from '@onrush/web/log'
import { readConfig as readReporter } from '../../services/reporter/src/config.ts'
import { type ReporterNode, startReporter } from '../../services/reporter/src/reporter-node.ts'
import { readConfig as readWorker } from '../../services/worker/src/config.ts'
import { startWorker, type WorkerNode } from '../../services/worker/src/worker-node.ts'

/** A reporter and a worker in this process, so that a test sees into them: their routes, their memory. */
export interface Nodes {
  readonly folder: string
  readonly redis: Redis
  readonly target: DemoTarget
  readonly reporter: ReporterNode
  readonly worker: WorkerNode
  /** What both have logged. */
  log(): string
  stop(): Promise<void>
}

const facts = {
  version: '0.0.0-test',
  nodeVersion: process.version,
  platform: 'test',
  cpuMicros: () => 0,
  nowMs: () => performance.now(),
  residentBytes: () => process.memoryUsage.rss(),
}

export async function startNodes(env: Readonly<Record<string, string>> = {}): Promise<Nodes> {
  const folder = await mkdtemp(join(tmpdir(), 'onrush-nodes-'))
  const [redis, target] = await Promise.all([startRedis({ dataDir: join(folder, 'redis') }), startDemoTarget()])
  let text = ''
  const log = jsonLog(
    line => {
      text += line
    },
    () => new Date(),
  )
  const settings = {
    REDIS_URL: redis.url,
    ONRUSH_PORT: '0',
    ONRUSH_SIMULATIONS: join(resolve(import.meta.dirname, '../..'), 'test/support/fleet-simulations'),
    ...env,
  }
  const of = (id: string) => ({ ...settings, ONRUSH_ID: id, ONRUSH_DATA: join(folder, id) })
  const reporter = await startReporter(readReporter(of('r1'), folder), facts, log)
  const worker = await startWorker(readWorker({ ONRUSH_THREADS: '1', ...of('w1') }, folder), facts, log)
  return {
    folder,
    redis,
    target,
    reporter,
    worker,
    log: () => text,
    async stop() {
      await worker.close('the test is over')
      await reporter.close()
      await Promise.all([redis.stop(), target.stop()])
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

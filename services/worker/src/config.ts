import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isLoopback } from '@onrush/web/bind-address'
import { type NodeSettings, readNode, readRedisUrl } from '@onrush/web/node-settings'
import { type Environment, Settings } from '@onrush/web/settings'

export interface WorkerConfig extends NodeSettings {
  readonly threads: number
  /** Others may reach us, so every call needs a token or the fleet's secret. */
  readonly reachable: boolean
}

/** Settings of both services that this one has no use for. */
const others = [
  'ONRUSH_CALLBACK_KEY',
  'ONRUSH_MOST_UPLOAD_MB',
  'ONRUSH_MOST_RUNS',
  'ONRUSH_NODE',
  'ONRUSH_INSTALL_WAIT',
  'ONRUSH_DRILLS',
]

/**
 * A worker needs nothing but REDIS_URL. Where that Redis is on loopback so are all its users; where it is not, the
 * reporters that must reach us are elsewhere too, and the fleet's secret stands guard.
 */
export function readConfig(env: Environment, cwd: string): WorkerConfig {
  const settings = new Settings(env)
  const redisUrl = readRedisUrl(settings)
  const remote = !isLoopback(redisHost(redisUrl))
  const host = remote ? '0.0.0.0' : '127.0.0.1'
  const node = readNode(settings, cwd, { role: 'worker', redisUrl, host, port: 7071, guarded: remote })
  const config: WorkerConfig = {
    ...node,
    threads: settings.int('ONRUSH_THREADS', Math.max(1, availableParallelism() - 1), 1, 1024),
    reachable: !isLoopback(node.host),
  }
  settings.done(others)
  return config
}

const redisHost = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

export const auditFile = (config: WorkerConfig): string => join(config.dataDir, 'audit.ndjson')
export const runsFolder = (config: WorkerConfig): string => join(config.dataDir, 'worker-runs')
/** Of what it ran alone. */
export const reportsFolder = (config: WorkerConfig): string => join(config.dataDir, 'worker-reports')
/** What is compiled here. */
export const cacheFolder = (config: WorkerConfig): string => join(config.dataDir, 'bundles')
/** What comes from elsewhere. */
export const contentFolder = (config: WorkerConfig): string => join(config.dataDir, 'contents')

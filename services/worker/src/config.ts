import { availableParallelism, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { limits } from '@onrush/protocol/limits'
import { type AccessSettings, nameIn, readAccess } from '@onrush/web/access-settings'
import { bindAddress, isLoopback } from '@onrush/web/bind-address'
import { type KeepSettings, readKeep } from '@onrush/web/keep-settings'
import { type Environment, Settings } from '@onrush/web/settings'

export interface WorkerConfig {
  readonly id: string | undefined
  readonly label: string | undefined
  readonly redisUrl: string
  readonly host: string
  readonly port: number
  /** How others reach us, where it is not what we listen on. */
  readonly advertise: string | undefined
  readonly dataDir: string
  readonly simulations: string
  readonly threads: number
  readonly access: AccessSettings
  /** Others may reach us, so every call needs a token or the fleet's secret. */
  readonly reachable: boolean
  /** Contents of runs that are kept for later ones, up to so many bytes. */
  readonly cacheBytes: number
  readonly keep: KeepSettings
  readonly git: { readonly remote: string | undefined; readonly branch: string | undefined }
}

const MiB = 1_048_576

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
  const redisUrl =
    settings.matching('REDIS_URL', /^rediss?:\/\/[^\s/]+/, 'a URL like "redis://host:6379"') ?? 'redis://127.0.0.1:6379'
  const remote = !isLoopback(redisHost(redisUrl))
  const host = settings.text('ONRUSH_HOST') ?? (remote ? '0.0.0.0' : '127.0.0.1')
  const advertise = settings
    .matching('ONRUSH_ADVERTISE', /^https?:\/\/[^\s/]+\/?$/, 'a URL like "http://worker-1:7071"')
    ?.replace(/\/$/, '')
  const access = readAccess(settings, host, [hostname(), nameIn(advertise)])
  const hasToken = access.token !== undefined || access.tokensFile !== undefined
  const dataDir = resolve(cwd, settings.text('ONRUSH_DATA') ?? '.data')
  const config: WorkerConfig = {
    id: settings.matching('ONRUSH_ID', /^[a-z0-9][a-z0-9-]{0,62}$/, 'an id of a-z, 0-9 and "-", at most 63 long'),
    label: settings.text('ONRUSH_LABEL'),
    redisUrl,
    host: bindAddress(host, hasToken || remote),
    port: settings.int('ONRUSH_PORT', 7071, 0, 65_535),
    advertise,
    dataDir,
    simulations: resolve(cwd, settings.text('ONRUSH_SIMULATIONS') ?? 'simulations'),
    threads: settings.int('ONRUSH_THREADS', Math.max(1, availableParallelism() - 1), 1, 1024),
    access,
    reachable: !isLoopback(host),
    cacheBytes: settings.int(limits.cache.setting, limits.cache.value / MiB, 1, 1_048_576) * MiB,
    keep: readKeep(settings),
    git: { remote: settings.text('ONRUSH_GIT_REMOTE'), branch: settings.text('ONRUSH_GIT_BRANCH') },
  }
  settings.done(others)
  return config
}

const redisHost = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

export const auditFile = (config: WorkerConfig): string => join(config.dataDir, 'audit.ndjson')
export const runsFolder = (config: WorkerConfig): string => join(config.dataDir, 'worker-runs')
/** What is compiled here. */
export const cacheFolder = (config: WorkerConfig): string => join(config.dataDir, 'bundles')
/** What comes from elsewhere. */
export const contentFolder = (config: WorkerConfig): string => join(config.dataDir, 'contents')

import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { limits } from '@onrush/protocol/limits'
import { type AccessSettings, nameIn, readAccess } from '@onrush/web/access-settings'
import { bindAddress } from '@onrush/web/bind-address'
import { type KeepSettings, readKeep } from '@onrush/web/keep-settings'
import { type Environment, Settings } from '@onrush/web/settings'

export interface ReporterConfig {
  readonly id: string | undefined
  readonly label: string | undefined
  readonly redisUrl: string
  readonly host: string
  readonly port: number
  /** How others reach us, where it is not what we listen on. */
  readonly advertise: string | undefined
  readonly dataDir: string
  readonly simulations: string
  readonly access: AccessSettings
  /** Signs callbacks; the fleet's own secret where there is none. */
  readonly callbackKey: string | undefined
  /** Contents of runs that are kept for later ones, up to so many bytes. */
  readonly cacheBytes: number
  readonly mostUploadBytes: number
  readonly keep: KeepSettings
  /** Runs of the fleet that may be open before a start is refused. */
  readonly mostRuns: number
  readonly git: { readonly remote: string | undefined; readonly branch: string | undefined }
}

const MiB = 1_048_576

/** Settings of both services that this one has no use for. */
const others = ['ONRUSH_THREADS', 'ONRUSH_NODE', 'ONRUSH_INSTALL_WAIT', 'ONRUSH_DRILLS']

export function readConfig(env: Environment, cwd: string): ReporterConfig {
  const settings = new Settings(env)
  const wanted = settings.text('ONRUSH_HOST')
  const advertise = settings
    .matching('ONRUSH_ADVERTISE', /^https?:\/\/[^\s/]+\/?$/, 'a URL like "http://reporter-1:7070"')
    ?.replace(/\/$/, '')
  const access = readAccess(settings, wanted ?? '127.0.0.1', [hostname(), nameIn(advertise)])
  const config: ReporterConfig = {
    id: settings.matching('ONRUSH_ID', /^[a-z0-9][a-z0-9-]{0,62}$/, 'an id of a-z, 0-9 and "-", at most 63 long'),
    label: settings.text('ONRUSH_LABEL'),
    redisUrl:
      settings.matching('REDIS_URL', /^rediss?:\/\/[^\s/]+/, 'a URL like "redis://host:6379"') ??
      'redis://127.0.0.1:6379',
    host: bindAddress(wanted, access.token !== undefined || access.tokensFile !== undefined),
    port: settings.int('ONRUSH_PORT', 7070, 0, 65_535),
    advertise,
    dataDir: resolve(cwd, settings.text('ONRUSH_DATA') ?? '.data'),
    simulations: resolve(cwd, settings.text('ONRUSH_SIMULATIONS') ?? 'simulations'),
    access,
    callbackKey: settings.text('ONRUSH_CALLBACK_KEY'),
    cacheBytes: settings.int(limits.cache.setting, limits.cache.value / MiB, 1, 1_048_576) * MiB,
    mostUploadBytes: settings.int(limits.upload.setting, limits.upload.value / MiB, 1, 1_048_576) * MiB,
    keep: readKeep(settings),
    mostRuns: settings.int(limits.openRuns.setting, limits.openRuns.value, 1, 1_000_000),
    git: { remote: settings.text('ONRUSH_GIT_REMOTE'), branch: settings.text('ONRUSH_GIT_BRANCH') },
  }
  settings.done(others)
  return config
}

export const reportsFolder = (config: ReporterConfig): string => join(config.dataDir, 'reports')
export const auditFile = (config: ReporterConfig): string => join(config.dataDir, 'audit.ndjson')
export const liveFolder = (config: ReporterConfig): string => join(config.dataDir, 'live')
export const cacheFolder = (config: ReporterConfig): string => join(config.dataDir, 'bundles')
/** What workers fetch from here. */
export const contentFolder = (config: ReporterConfig): string => join(config.dataDir, 'reporter-contents')

/** Where the dashboard's build puts it. */
export const dashboardFolder = join(import.meta.dirname, '../../dashboard/dist')

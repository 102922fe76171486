import { join } from 'node:path'
import { limits } from '@onrush/protocol/limits'
import { type NodeSettings, readNode, readRedisUrl } from '@onrush/web/node-settings'
import { type Environment, Settings } from '@onrush/web/settings'

export interface ReporterConfig extends NodeSettings {
  /** Signs callbacks; the fleet's own secret where there is none. */
  readonly callbackKey: string | undefined
  readonly mostUploadBytes: number
  /** Runs of the fleet that may be open before a start is refused. */
  readonly mostRuns: number
}

const MiB = 1_048_576

/** Settings of both services that this one has no use for. */
const others = ['ONRUSH_THREADS', 'ONRUSH_NODE', 'ONRUSH_INSTALL_WAIT', 'ONRUSH_DRILLS']

export function readConfig(env: Environment, cwd: string): ReporterConfig {
  const settings = new Settings(env)
  const redisUrl = readRedisUrl(settings)
  const config: ReporterConfig = {
    ...readNode(settings, cwd, { role: 'reporter', redisUrl, host: '127.0.0.1', port: 7070, guarded: false }),
    callbackKey: settings.text('ONRUSH_CALLBACK_KEY'),
    mostUploadBytes: settings.int(limits.upload.setting, limits.upload.value / MiB, 1, 1_048_576) * MiB,
    mostRuns: settings.int(limits.openRuns.setting, limits.openRuns.value, 1, 1_000_000),
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

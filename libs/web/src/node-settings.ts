import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { limits } from '@onrush/protocol/limits'
import { type AccessSettings, nameIn, readAccess } from './access-settings.ts'
import { bindAddress } from './bind-address.ts'
import { dataPlaceFault } from './data-place.ts'
import { type KeepSettings, readKeep } from './keep-settings.ts'
import type { Settings } from './settings.ts'

/** What every node of a fleet is told, whatever it does. */
export interface NodeSettings {
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
  /** Contents of runs that are kept for later ones, up to so many bytes. */
  readonly cacheBytes: number
  readonly keep: KeepSettings
  readonly git: { readonly remote: string | undefined; readonly branch: string | undefined }
}

/** What a node has where its settings say nothing. */
export interface NodeDefaults {
  readonly role: 'reporter' | 'worker'
  readonly redisUrl: string
  readonly host: string
  readonly port: number
  /** Somebody stands guard where no token is set. */
  readonly guarded: boolean
}

const MiB = 1_048_576

export const readRedisUrl = (settings: Settings): string =>
  settings.matching('REDIS_URL', /^rediss?:\/\/[^\s/]+/, 'a URL like "redis://host:6379"') ?? 'redis://127.0.0.1:6379'

export function readNode(settings: Settings, cwd: string, own: NodeDefaults): NodeSettings {
  const wanted = settings.text('ONRUSH_HOST') ?? own.host
  const advertise = settings
    .matching('ONRUSH_ADVERTISE', /^https?:\/\/[^\s/]+\/?$/, `a URL like "http://${own.role}-1:${own.port}"`)
    ?.replace(/\/$/, '')
  const access = readAccess(settings, wanted, [hostname(), nameIn(advertise)])
  const hasToken = access.token !== undefined || access.tokensFile !== undefined
  const dataDir = resolve(cwd, settings.text('ONRUSH_DATA') ?? '.data')
  const simulations = resolve(cwd, settings.text('ONRUSH_SIMULATIONS') ?? 'simulations')
  const misplaced = dataPlaceFault(dataDir, simulations)
  if (misplaced !== undefined) settings.fault('ONRUSH_DATA', misplaced)
  return {
    id: settings.matching('ONRUSH_ID', /^[a-z0-9][a-z0-9-]{0,62}$/, 'an id of a-z, 0-9 and "-", at most 63 long'),
    label: settings.text('ONRUSH_LABEL'),
    redisUrl: own.redisUrl,
    host: bindAddress(wanted, hasToken || own.guarded),
    port: settings.int('ONRUSH_PORT', own.port, 0, 65_535),
    advertise,
    dataDir,
    simulations,
    access,
    cacheBytes: settings.int(limits.cache.setting, limits.cache.value / MiB, 1, 1_048_576) * MiB,
    keep: readKeep(settings),
    git: { remote: settings.text('ONRUSH_GIT_REMOTE'), branch: settings.text('ONRUSH_GIT_BRANCH') },
  }
}

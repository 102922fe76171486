import { resolve } from 'node:path'
import { one } from '../arguments/option.ts'
import { integer, text } from '../arguments/readings.ts'
import type { Io } from '../io.ts'

/** What both services take; each flag stands for a variable of the environment, and wins over it. */
export const serviceOptions = {
  redis: one({
    placeholder: 'url',
    summary: 'where Redis is (default: REDIS_URL, or redis://127.0.0.1:6379)',
    read: text,
  }),
  host: one({ placeholder: 'address', summary: 'address to listen on (default 127.0.0.1)', read: text }),
  id: one({ placeholder: 'id', summary: 'its name in the fleet (default: host and port)', read: text }),
  data: one({ placeholder: 'folder', summary: 'where it keeps what it writes (default .data)', read: text }),
  simulations: one({ placeholder: 'folder', summary: 'where its simulations lie (default simulations)', read: text }),
}

export const portOption = (fallback: number) =>
  one({
    short: 'p',
    placeholder: 'port',
    summary: `port to listen on (default ${fallback}; 0 picks a free one)`,
    read: integer(0, 65_535),
  })

export interface ServiceFlags {
  readonly redis: string | undefined
  readonly host: string | undefined
  readonly id: string | undefined
  readonly data: string | undefined
  readonly simulations: string | undefined
  readonly port: number | undefined
  readonly threads?: number | undefined
}

/** The environment that a service is started with. */
export function serviceEnv(flags: ServiceFlags, { env, cwd }: Pick<Io, 'env' | 'cwd'>): Io['env'] {
  const { redis, host, id, data, simulations, port, threads } = flags
  const given: Record<string, string | undefined> = {
    REDIS_URL: redis,
    ONRUSH_HOST: host,
    ONRUSH_ID: id,
    ONRUSH_DATA: data === undefined ? undefined : resolve(cwd, data),
    ONRUSH_SIMULATIONS: simulations === undefined ? undefined : resolve(cwd, simulations),
    ONRUSH_PORT: port === undefined ? undefined : String(port),
    ONRUSH_THREADS: threads === undefined ? undefined : String(threads),
  }
  return { ...env, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

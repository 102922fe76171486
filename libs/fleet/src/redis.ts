import { OnrushError } from '@onrush/protocol/error'
import { Redis } from 'ioredis'

export type { Redis } from 'ioredis'

/**
 * `request`: fails at once while Redis is away, so that an HTTP call answers 503 instead of hanging and landing later.
 * `blocking`: waits for Redis for ever, as BullMQ's workers demand.
 * `subscriber`: a connection of its own, since one that subscribes can do nothing else.
 */
export type Purpose = 'request' | 'blocking' | 'subscriber'

export type OnRedisError = (error: Error & { code?: string }) => void

/** Reconnects for ever, each half second at the latest: a fleet must find back to its Redis within the reaper's patience. */
const retryStrategy = (times: number) => Math.min(50 * times, 500)

export function openRedis(url: string, purpose: Purpose, onError: OnRedisError): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy,
    connectTimeout: 5_000,
    ...(purpose === 'request'
      ? { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 10_000 }
      : { maxRetriesPerRequest: null }),
  })
  redis.on('error', onError)
  return redis
}

/** A first connection that must stand within the limit, so that a wrong URL is an error at the start and not a silence. */
export async function connectRedis(
  url: string,
  purpose: Purpose,
  onError: OnRedisError,
  limitMs = 10_000,
): Promise<Redis> {
  const redis = openRedis(url, purpose, onError)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs)
  })
  try {
    await Promise.race([redis.connect(), late])
    return redis
  } catch (cause) {
    redis.disconnect()
    throw new OnrushError(
      'unavailable',
      `Redis at ${withoutPassword(url)} cannot be reached: expected a server there; check REDIS_URL, or unset it to let "onrush up" start one`,
      { cause },
    )
  } finally {
    clearTimeout(timer)
  }
}

export function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//…@')
}

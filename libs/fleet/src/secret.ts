import { randomBytes } from 'node:crypto'
import { names } from './names.ts'
import type { OnRedisError, Redis } from './redis.ts'

/** What nodes of one fleet show each other. It lies in Redis, so that a worker needs nothing but REDIS_URL. */
export async function fleetSecret(redis: Redis): Promise<string> {
  await redis.set(names.secret, randomBytes(32).toString('base64url'), 'NX')
  return String(await redis.get(names.secret))
}

/** Puts the secret back where a Redis has lost it: nodes that live know it, and those that come must learn the same. */
export function keepSecret(redis: Redis, secret: string, onError: OnRedisError): void {
  redis.on('ready', () => {
    redis.set(names.secret, secret, 'NX').catch(onError)
  })
}

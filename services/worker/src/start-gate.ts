import { announceReady, startInstant } from '@onrush/fleet/barrier'
import type { Redis } from '@onrush/fleet/redis'
import type { ControlHub } from './control-hub.ts'

/** A channel is lossy, so the key is looked at too; half a second late is seen in the report and harms no count. */
const pollMs = 500

export interface StartGate {
  readonly redis: Redis
  readonly hub: ControlHub
}

/**
 * Announces a prepared shard and waits for the common start instant, in Redis's milliseconds. Listens before it
 * announces: it may be the last one, and the message would be gone. The caller limits the wait.
 */
export async function awaitStart(
  { redis, hub }: StartGate,
  run: string,
  shard: number,
  of: number,
  signal: AbortSignal,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const off = hub.on(message => {
    if (message.run !== run) return
    if (message.type === 'start') resolve(message.at)
    if (message.type === 'abort') reject(new Error(message.reason))
  })
  const ended = () => reject(new Error('the shard was ended before the start'))
  // It may be rejected while the announcement is still under way, when nobody waits for it yet.
  promise.catch(() => undefined)
  if (signal.aborted) ended()
  signal.addEventListener('abort', ended, { once: true })
  const poll = setInterval(() => {
    startInstant(redis, run).then(at => {
      if (at !== undefined) resolve(at)
    }, reject)
  }, pollMs)
  try {
    const at = await announceReady(redis, run, shard, of)
    if (at !== undefined) resolve(at)
    return await promise
  } finally {
    off()
    signal.removeEventListener('abort', ended)
    clearInterval(poll)
  }
}

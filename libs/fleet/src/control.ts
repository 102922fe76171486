import { z } from 'zod'
import { channels, names } from './names.ts'
import type { Redis } from './redis.ts'

const run = z.string()

/** What the control channel carries. A node of a later version may say more; what it does not know, a node leaves alone. */
export const ControlMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), run, at: z.number() }),
  z.strictObject({ type: z.literal('stop'), run, reason: z.string() }),
  z.strictObject({ type: z.literal('abort'), run, reason: z.string() }),
  z.strictObject({ type: z.literal('release'), run, worker: z.string() }),
])
export type ControlMessage = z.infer<typeof ControlMessage>

const keepSeconds = 7 * 86_400

/** The flag comes first: a worker that misses the message reads it with its next heartbeat. */
export async function tellStop(redis: Redis, of: string, reason: string): Promise<void> {
  await redis.set(names.stop(of), reason, 'EX', keepSeconds)
  await tell(redis, { type: 'stop', run: of, reason })
}

export async function stopReason(redis: Redis, of: string): Promise<string | undefined> {
  return (await redis.get(names.stop(of))) ?? undefined
}

/** Ends a run that nobody asked to end, at once. It is stopped for its workers, and failed in its record. */
export async function tellFailure(redis: Redis, of: string, reason: string): Promise<void> {
  await redis
    .multi()
    .set(names.failure(of), reason, 'EX', keepSeconds, 'NX')
    .set(names.stop(of), reason, 'EX', keepSeconds)
    .exec()
  await tell(redis, { type: 'abort', run: of, reason })
}

export async function failureReason(redis: Redis, of: string): Promise<string | undefined> {
  return (await redis.get(names.failure(of))) ?? undefined
}

export async function tell(redis: Redis, message: ControlMessage): Promise<void> {
  await redis.publish(channels.control, JSON.stringify(message))
}

export async function listen(subscriber: Redis, onMessage: (message: ControlMessage) => void): Promise<void> {
  subscriber.on('message', (channel: string, text: string) => {
    if (channel !== channels.control) return
    const parsed = ControlMessage.safeParse(JSON.parse(text))
    if (parsed.success) onMessage(parsed.data)
  })
  await subscriber.subscribe(channels.control)
}

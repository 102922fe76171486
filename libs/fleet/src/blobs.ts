import { createHash } from 'node:crypto'
import { OnrushError } from '@onrush/protocol/error'
import { names } from './names.ts'
import type { Redis } from './redis.ts'

/** Larger ones do not belong into Redis, whose memory is the fleet's. */
export const largestBlob = 16 * 1024 * 1024
const keepSeconds = 7 * 86_400

export const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** Keeps a content under its own hash; keeping it again only keeps it longer. */
export async function putBlob(redis: Redis, content: Uint8Array): Promise<string> {
  if (content.byteLength > largestBlob) {
    throw new OnrushError('too_large', `expected at most ${largestBlob} bytes, got ${content.byteLength}`)
  }
  const hash = hashOf(content)
  await redis.set(names.blob(hash), Buffer.from(content), 'EX', keepSeconds)
  return hash
}

/** Nothing when it is not there. What is there is checked: a hash is a promise. */
export async function getBlob(redis: Redis, hash: string): Promise<Uint8Array | undefined> {
  const content = await redis.getBuffer(names.blob(hash))
  if (content === null) return undefined
  if (hashOf(content) !== hash) throw new OnrushError('internal', `the blob ${hash} in Redis does not match its hash`)
  return content
}

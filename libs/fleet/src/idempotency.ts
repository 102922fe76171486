import { createHash } from 'node:crypto'
import { OnrushError } from '@onrush/protocol/error'
import { lua, runLua } from './lua.ts'
import { names } from './names.ts'
import type { Redis } from './redis.ts'

const keepSeconds = 86_400

const claim = lua(`
local held = redis.call('GET', KEYS[1])
if held then return held end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]
`)

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * The run that a key stands for: this one when the key is new, the first one when it is a retry. Ten calls at once give
 * one run, because the claim is one step in Redis. The same key with another body is a mistake worth telling.
 */
export async function claimKey(
  redis: Redis,
  key: string,
  body: string,
  run: string,
): Promise<{ run: string; first: boolean }> {
  const mine = JSON.stringify({ run, body: hash(body) })
  const held: unknown = JSON.parse(
    String(await runLua(redis, claim, [names.idempotency(hash(key))], [mine, keepSeconds])),
  )
  if (typeof held !== 'object' || held === null || !('run' in held) || !('body' in held)) {
    throw new OnrushError('internal', 'an idempotency key holds something that is not ours')
  }
  if (held.body !== hash(body)) {
    throw new OnrushError(
      'idempotency_conflict',
      `Idempotency-Key was used for another request (run ${String(held.run)}): expected the same body, or a new key`,
    )
  }
  return { run: String(held.run), first: held.run === run }
}

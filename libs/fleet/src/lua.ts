import { createHash } from 'node:crypto'
import type { Redis } from './redis.ts'

/** A Lua script by its hash: its text travels once per Redis, not once per call. */
export interface Lua {
  readonly text: string
  readonly sha: string
}

export function lua(text: string): Lua {
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}

export async function runLua(
  redis: Redis,
  script: Lua,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha, keys.length, ...keys, ...args)
  } catch (error) {
    // A Redis that restarted has forgotten the text.
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return await redis.eval(script.text, keys.length, ...keys, ...args)
  }
}

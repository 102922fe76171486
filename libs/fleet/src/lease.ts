import { lua, runLua } from './lua.ts'
import type { Redis } from './redis.ts'

const take = lua(`
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`)

const give = lua(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`)

/** Takes or renews a duty that one node does at a time. Whoever dies holding it is followed after `ms`. */
export async function takeLease(redis: Redis, key: string, holder: string, ms: number): Promise<boolean> {
  return (await runLua(redis, take, [key], [holder, ms])) === 1
}

export async function giveLease(redis: Redis, key: string, holder: string): Promise<void> {
  await runLua(redis, give, [key], [holder])
}

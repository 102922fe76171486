import { lua, runLua } from './lua.ts'
import { channels, names } from './names.ts'
import type { Redis } from './redis.ts'

/** From the last one ready to the start: enough for a message over any network, short enough that nobody notices. */
const marginMs = 400
const keepMs = 7 * 86_400_000

/**
 * The last shard to announce itself sets the start instant, in Redis's own time, and tells everyone; the key keeps it for
 * whoever missed the message. An announcement that comes twice counts once. Whole milliseconds, because Lua's JSON keeps 14
 * digits only, and the message must say exactly what the key says.
 */
const announce = lua(`
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
local start = redis.call('GET', KEYS[2])
if start then return start end
if redis.call('SCARD', KEYS[1]) < tonumber(ARGV[2]) then return '' end
local time = redis.call('TIME')
start = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[3]))
redis.call('SET', KEYS[2], start, 'PX', ARGV[5])
redis.call('PUBLISH', KEYS[3], cjson.encode({ type = 'start', run = ARGV[4], at = tonumber(start) }))
return start
`)

/** Subscribe to the control channel before announcing, or the start may be missed. The instant, when it is known already. */
export async function announceReady(redis: Redis, run: string, shard: number, of: number): Promise<number | undefined> {
  const keys = [names.ready(run), names.start(run), channels.control]
  const start = String(await runLua(redis, announce, keys, [shard, of, marginMs, run, keepMs]))
  return start === '' ? undefined : Number(start)
}

/** What the key says, for whoever was not listening when the start was announced. */
export async function startInstant(redis: Redis, run: string): Promise<number | undefined> {
  const start = await redis.get(names.start(run))
  return start === null ? undefined : Number(start)
}

export async function readyShards(redis: Redis, run: string): Promise<number[]> {
  return (await redis.smembers(names.ready(run))).map(Number).sort((a, b) => a - b)
}

import { Frame } from '@onrush/protocol/frame'
import { lua, runLua } from './lua.ts'
import { names } from './names.ts'
import type { Redis } from './redis.ts'

const keepSeconds = 7 * 86_400

/**
 * The frames of one shard, in Redis until its run's report is built, so that a killed worker's last second is not lost.
 * `replace` puts one cumulative frame in place of the oldest ones, or an hour's run would keep 3,600 of them.
 */
const append = lua(`
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
`)

const replace = lua(`
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('LTRIM', KEYS[1], ARGV[1], -1)
redis.call('LPUSH', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
`)

const seal = (run: string, shard: number) => `${names.frames(run, shard)}:sealed`

/** False once the shard is sealed: a reaper has taken its worker for dead, and what it counts since belongs to nobody. */
export async function appendFrame(redis: Redis, run: string, shard: number, frame: Frame): Promise<boolean> {
  const keys = [names.frames(run, shard), seal(run, shard)]
  return (await runLua(redis, append, keys, [JSON.stringify(frame), keepSeconds])) === 1
}

/** Puts `frame`, which holds the first `count` frames added up, in their place. */
export async function replaceFrames(
  redis: Redis,
  run: string,
  shard: number,
  count: number,
  frame: Frame,
): Promise<boolean> {
  const keys = [names.frames(run, shard), seal(run, shard)]
  return (await runLua(redis, replace, keys, [count, JSON.stringify(frame), keepSeconds])) === 1
}

/** After this nobody adds to the shard's frames, so that what is read then is the last word. */
export async function sealFrames(redis: Redis, run: string, shard: number): Promise<void> {
  await redis.set(seal(run, shard), '1', 'EX', keepSeconds)
}

export async function readFrames(redis: Redis, run: string, shard: number): Promise<Frame[]> {
  const texts = await redis.lrange(names.frames(run, shard), 0, '-1')
  return texts.map(text => Frame.parse(JSON.parse(text)))
}

export async function dropFrames(redis: Redis, run: string, shard: number): Promise<void> {
  await redis.del(names.frames(run, shard), seal(run, shard))
}

import { NodeRecord } from '@onrush/protocol/node'
import { lua, runLua } from './lua.ts'
import { names } from './names.ts'
import type { Redis } from './redis.ts'

/** Ours is the sign of life, not the queue's lock: five missed beats and the node is gone. */
export const beatMs = 1_000
export const lifeMs = 5_000

const beat = lua(`
if redis.call('SISMEMBER', KEYS[3], ARGV[2]) == 1 then return {'buried', '', ''} end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[4])
redis.call('HSET', KEYS[6], ARGV[1], ARGV[2])
local run = redis.call('HGET', KEYS[4], ARGV[1])
if not run then return {'alive', '', ''} end
local stop = redis.call('GET', KEYS[5] .. run)
return {'alive', run, stop or ''}
`)

export type Pulse =
  /** A reaper took this incarnation for dead and sealed its work: end it, then come back under a new incarnation. */
  | { state: 'buried' }
  /** `run` holds the node; `stop` repeats what the control channel said of it, because a channel forgets who was not listening. */
  | { state: 'alive'; run: string | undefined; stop: string | undefined }

export async function sendHeartbeat(redis: Redis, node: NodeRecord, incarnation: string): Promise<Pulse> {
  const keys = [
    names.nodes,
    names.heartbeat(node.id),
    names.buried(node.id),
    names.reservations,
    names.stop(''),
    names.incarnations,
  ]
  const answer = await runLua(redis, beat, keys, [node.id, incarnation, JSON.stringify(node), lifeMs])
  const [state, run, stop] = Array.isArray(answer) ? answer.map(String) : []
  if (state === 'buried') return { state: 'buried' }
  return { state: 'alive', run: run === '' ? undefined : run, stop: stop === '' ? undefined : stop }
}

/** A node that ends in good order leaves at once instead of being missed. */
export async function sayGoodbye(redis: Redis, node: string): Promise<void> {
  await redis.multi().del(names.heartbeat(node)).hdel(names.nodes, node).hdel(names.incarnations, node).exec()
}

const buriedKeepSeconds = 7 * 86_400

const bury = lua(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local incarnation = redis.call('HGET', KEYS[2], ARGV[1])
if incarnation then
  redis.call('SADD', KEYS[3], incarnation)
  redis.call('EXPIRE', KEYS[3], ARGV[2])
end
return 1
`)

/**
 * Gives a silent node up: from here on its incarnation can beat no more, so that what is then done to its work is done
 * behind nobody's back. False when it has beaten meanwhile.
 */
export async function buryNode(redis: Redis, node: string): Promise<boolean> {
  const keys = [names.heartbeat(node), names.incarnations, names.buried(node)]
  return (await runLua(redis, bury, keys, [node, buriedKeepSeconds])) === 1
}

/** Forgets a buried node; it is listed again when it comes back as somebody new. */
export async function dropNode(redis: Redis, node: string): Promise<void> {
  await redis.multi().hdel(names.nodes, node).hdel(names.incarnations, node).exec()
}

export async function isAlive(redis: Redis, node: string): Promise<boolean> {
  return (await redis.exists(names.heartbeat(node))) === 1
}

export interface KnownNode {
  record: NodeRecord
  alive: boolean
}

/** Every node that has announced itself and not said goodbye, and whether its heart beats. */
export async function listNodes(redis: Redis): Promise<KnownNode[]> {
  const stored = await redis.hgetall(names.nodes)
  const ids = Object.keys(stored).sort()
  if (ids.length === 0) return []
  const beats = await redis.mget(ids.map(id => names.heartbeat(id)))
  return ids.flatMap((id, i) => {
    const record = readRecord(stored[id])
    return record === undefined ? [] : [{ record, alive: beats[i] !== null }]
  })
}

/** A later version may say more of itself; what announces itself in another shape is not listed rather than misread. */
const known = NodeRecord.strip()

function readRecord(text: string | undefined): NodeRecord | undefined {
  const parsed = known.safeParse(JSON.parse(text ?? 'null'))
  return parsed.success ? parsed.data : undefined
}

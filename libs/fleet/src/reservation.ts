import { protocolVersion, versionFault } from '@onrush/protocol/protocol-version'
import type { Workers } from '@onrush/protocol/start-fields'
import { lua, runLua } from './lua.ts'
import { names, prefix } from './names.ts'
import type { Redis } from './redis.ts'

/**
 * Reserves workers for a run: all it wants or none, in order of arrival.
 *
 * A run that has to wait holds back those that came later, or small runs would starve a large one. Two do not hold each
 * other back: those that name disjoint workers, and one that wants more workers than are alive, because waiting for busy
 * ones cannot help it. A second call for the same run answers the same workers, so a reporter may crash after the first.
 * Workers of another protocol version would misread their shards: for a reservation they are not there.
 */
const reserve = lua(`
local nodes, reservations, tickets, wishes, shards = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local counter = KEYS[6]
local run, wish, heartbeat, protocol = ARGV[1], cjson.decode(ARGV[2]), ARGV[3], tonumber(ARGV[4])

local held = redis.call('GET', shards)
if held then return {'reserved', held} end

if not redis.call('ZSCORE', tickets, run) then
  redis.call('ZADD', tickets, redis.call('INCR', counter), run)
  redis.call('HSET', wishes, run, ARGV[2])
end

local alive, idle, foreign = {}, {}, {}
for id, text in pairs((function()
  local map, flat = {}, redis.call('HGETALL', nodes)
  for i = 1, #flat, 2 do map[flat[i]] = flat[i + 1] end
  return map
end)()) do
  local node = cjson.decode(text)
  if node.role == 'worker' and redis.call('EXISTS', heartbeat .. id) == 1 then
    if node.protocol == protocol then
      alive[id] = true
      alive[#alive + 1] = id
      if redis.call('HEXISTS', reservations, id) == 0 then idle[#idle + 1] = id end
    else
      foreign[#foreign + 1] = id .. ' ' .. (tonumber(node.protocol) or 0)
    end
  end
end
table.sort(idle)
table.sort(foreign)
local others = table.concat(foreign, ',')

local function fits(other)
  if other.ids then
    for _, id in ipairs(other.ids) do if not alive[id] then return false end end
    return true
  end
  return #alive >= (other.count or 1)
end
local function disjoint(a, b)
  if not (a.ids and b.ids) then return false end
  local mine = {}
  for _, id in ipairs(a.ids) do mine[id] = true end
  for _, id in ipairs(b.ids) do if mine[id] then return false end end
  return true
end

if not fits(wish) then return {'short', tostring(#alive), others} end
for _, earlier in ipairs(redis.call('ZRANGE', tickets, 0, -1)) do
  if earlier == run then break end
  local other = cjson.decode(redis.call('HGET', wishes, earlier) or '{}')
  if fits(other) and not disjoint(other, wish) then return {'behind', earlier, others} end
end

local chosen = {}
if wish.ids then
  local free = {}
  for _, id in ipairs(idle) do free[id] = true end
  for _, id in ipairs(wish.ids) do
    if not free[id] then return {'busy', id, others} end
    chosen[#chosen + 1] = id
  end
elseif wish.all then
  if #idle < #alive then return {'busy', tostring(#alive - #idle), others} end
  chosen = idle
elseif wish.count then
  if #idle < wish.count then return {'busy', tostring(wish.count - #idle), others} end
  for i = 1, wish.count do chosen[i] = idle[i] end
else
  if #idle == 0 then return {'busy', '1', others} end
  chosen = idle
end

for _, id in ipairs(chosen) do redis.call('HSET', reservations, id, run) end
redis.call('ZREM', tickets, run)
redis.call('HDEL', wishes, run)
local list = cjson.encode(chosen)
redis.call('SET', shards, list)
return {'reserved', list}
`)

const ticket = lua(`
if redis.call('EXISTS', KEYS[4]) == 1 or redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], redis.call('INCR', KEYS[3]), ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
`)

const release = lua(`
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then return redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0
`)

const giveUp = lua(`
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
`)

export type Reserved =
  | { state: 'reserved'; workers: string[] }
  /** Why it waits, in words for the run's record. */
  | { state: 'waiting'; reason: string }

const reasons: Record<string, (detail: string) => string> = {
  short: alive => `more workers are wanted than are alive (${alive})`,
  behind: earlier => `run ${earlier} came first and waits for workers`,
  busy: detail =>
    /^\d+$/.test(detail)
      ? `${detail} more idle ${detail === '1' ? 'worker is' : 'workers are'} needed`
      : `worker ${detail} is busy`,
}

/** `w1 2,w2 3`: workers and the protocols they speak. */
function foreignWorkers(text: string): string[] {
  if (text === '') return []
  return text.split(',').flatMap(each => {
    const [id = '', protocol = ''] = each.split(' ')
    const fault = versionFault(
      { name: `worker ${id}`, protocol: Number(protocol) },
      { name: 'this reporter', protocol: protocolVersion },
    )
    return fault === undefined ? [] : [fault]
  })
}

const wishOf = (workers: Workers | undefined) =>
  workers === undefined
    ? {}
    : workers === 'all'
      ? { all: true }
      : typeof workers === 'number'
        ? { count: workers }
        : { ids: [...new Set(workers)] }

export async function reserveWorkers(redis: Redis, run: string, workers: Workers | undefined): Promise<Reserved> {
  const keys = [names.nodes, names.reservations, names.tickets, names.wishes, names.shards(run), names.ticketNumber]
  const args = [run, JSON.stringify(wishOf(workers)), `${prefix}:heartbeat:`, protocolVersion]
  const answer = await runLua(redis, reserve, keys, args)
  const [state = '', detail = '', foreign = ''] = Array.isArray(answer) ? answer.map(String) : []
  if (state === 'reserved') return { state, workers: JSON.parse(detail) }
  const reason = reasons[state]?.(detail) ?? state
  return { state: 'waiting', reason: [reason, ...foreignWorkers(foreign)].join('; ') }
}

/** Takes a run's place in the row when it is asked for, so that runs begin in that order whichever reporter comes first. */
export async function takeTicket(redis: Redis, run: string, workers: Workers | undefined): Promise<void> {
  const keys = [names.tickets, names.wishes, names.ticketNumber, names.shards(run)]
  await runLua(redis, ticket, keys, [run, JSON.stringify(wishOf(workers))])
}

/** Runs that wait for workers, the first first. */
export async function waitingRuns(redis: Redis): Promise<string[]> {
  return await redis.zrange(names.tickets, 0, '-1')
}

/** Frees a worker, unless another run holds it by now. */
export async function releaseWorker(redis: Redis, worker: string, run: string): Promise<void> {
  await runLua(redis, release, [names.reservations], [worker, run])
}

/** A run that will not wait any longer hands back its ticket. */
export async function giveUpWaiting(redis: Redis, run: string): Promise<void> {
  await runLua(redis, giveUp, [names.tickets, names.wishes], [run])
}

/** Worker to run, for the reaper: a reservation may outlive both. */
export async function listReservations(redis: Redis): Promise<Map<string, string>> {
  return new Map(Object.entries(await redis.hgetall(names.reservations)))
}

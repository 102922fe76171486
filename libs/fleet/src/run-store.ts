import { Job, JobWorker, RunState, type Verdict } from '@onrush/protocol/job'
import { limits } from '@onrush/protocol/limits'
import type { z } from 'zod'
import { lua, runLua } from './lua.ts'
import { names } from './names.ts'
import type { Redis } from './redis.ts'

/**
 * A run's record is a hash, one field per fact, because several reporters and the run's own steps change different facts
 * at once: none reads the whole to write it back.
 */
export const RunBase = Job.pick({
  runId: true,
  name: true,
  kind: true,
  simulation: true,
  createdAt: true,
  plan: true,
  links: true,
  ext: true,
})
export type RunBase = z.infer<typeof RunBase>

export interface RunChange {
  status?: RunState
  verdict?: Verdict
  error?: string
  waiting?: string
  startedAt?: string
  endedAt?: string
  totals?: Job['totals']
}

const ended: readonly RunState[] = ['finished', 'failed', 'stopped']
export const hasEnded = (status: RunState): boolean => ended.includes(status)

const keepSeconds = limits.runRecord.value * 86_400

const create = lua(`
if redis.call('HSETNX', KEYS[1], 'base', ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'status', 'queued')
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
`)

/** False when the run is there already: who starts a run may die between two steps, and another begins them again. */
export async function createRun(redis: Redis, base: RunBase): Promise<boolean> {
  const keys = [names.run(base.runId), names.openRuns]
  return (await runLua(redis, create, keys, [base.runId, JSON.stringify(base), Date.parse(base.createdAt)])) === 1
}

const change = lua(`
local status = redis.call('HGET', KEYS[1], 'status')
if not status then return 0 end
local from = cjson.decode(ARGV[2])
if #from > 0 then
  local found = false
  for _, each in ipairs(from) do found = found or each == status end
  if not found then return 0 end
end
for i = 6, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
if ARGV[3] ~= '' then
  redis.call('HDEL', KEYS[1], 'waiting')
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', '(' .. ARGV[4])
  redis.call('EXPIRE', KEYS[1], ARGV[5])
end
return 1
`)

/**
 * False when there is no such run, or it is in none of the states `from`: a message that comes late must not wake a run
 * that has ended. The end of a run moves it from the open to the ended ones in the same step.
 */
export async function changeRun(
  redis: Redis,
  run: string,
  facts: RunChange,
  from: readonly RunState[] = [],
): Promise<boolean> {
  const fields = Object.entries(facts).flatMap(([key, value]) =>
    value === undefined ? [] : [key, typeof value === 'string' ? value : JSON.stringify(value)],
  )
  if (fields.length === 0) return true
  const over = facts.status !== undefined && hasEnded(facts.status)
  const endedAt = over ? Date.parse(facts.endedAt ?? '') || 0 : ''
  const keys = [names.run(run), names.openRuns, names.endedRuns]
  const kept = (endedAt || 0) - keepSeconds * 1000
  return (await runLua(redis, change, keys, [run, JSON.stringify(from), endedAt, kept, keepSeconds, ...fields])) === 1
}

const setWorker = lua(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local held = redis.call('HGET', KEYS[1], ARGV[1])
if held and cjson.decode(held).status == 'lost' then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
`)

/** A worker that was lost stays so: what it says when it comes back is about a run that went on without it. */
export async function changeWorker(redis: Redis, run: string, worker: JobWorker): Promise<void> {
  await runLua(redis, setWorker, [names.run(run)], [`worker:${worker.id}`, JSON.stringify(worker)])
}

export async function readRun(redis: Redis, run: string): Promise<Job | undefined> {
  return toJob(await redis.hgetall(names.run(run)))
}

/** The one fact that is asked for most. */
export async function runStatus(redis: Redis, run: string): Promise<RunState | undefined> {
  const status = RunState.safeParse(await redis.hget(names.run(run), 'status'))
  return status.success ? status.data : undefined
}

function toJob(fields: Record<string, string>): Job | undefined {
  if (fields.base === undefined) return undefined
  const workers = Object.entries(fields)
    .filter(([key]) => key.startsWith('worker:'))
    .map(([, text]) => JobWorker.parse(JSON.parse(text)))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return Job.parse({
    ...JSON.parse(fields.base),
    status: fields.status,
    verdict: fields.verdict,
    error: fields.error,
    waiting: fields.waiting,
    startedAt: fields.startedAt,
    endedAt: fields.endedAt,
    totals: fields.totals === undefined ? undefined : JSON.parse(fields.totals),
    workers,
  })
}

export async function openRunIds(redis: Redis): Promise<string[]> {
  return await redis.zrange(names.openRuns, 0, '-1')
}

export async function openRuns(redis: Redis): Promise<Job[]> {
  return readAll(redis, await openRunIds(redis))
}

/** The latest first. */
export async function endedRuns(redis: Redis, count: number): Promise<Job[]> {
  return readAll(redis, await redis.zrevrange(names.endedRuns, 0, `${count - 1}`))
}

async function readAll(redis: Redis, runs: readonly string[]): Promise<Job[]> {
  const jobs = await Promise.all(runs.map(run => readRun(redis, run)))
  return jobs.filter(job => job !== undefined)
}

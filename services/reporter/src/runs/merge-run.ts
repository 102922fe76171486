import { join } from 'node:path'
import { startInstant } from '@onrush/fleet/barrier'
import { failureReason, stopReason } from '@onrush/fleet/control'
import { readFrames } from '@onrush/fleet/frame-log'
import { listNodes } from '@onrush/fleet/heartbeat'
import type { RunJob } from '@onrush/fleet/jobs'
import type { Redis } from '@onrush/fleet/redis'
import { readRun } from '@onrush/fleet/run-store'
import { checkBooks } from '@onrush/metrics/books'
import type { Frame } from '@onrush/protocol/frame'
import type { Report } from '@onrush/protocol/report'
import type { RunEnd, RunHeader, WorkerEnd } from '@onrush/protocol/run-log'
import { ReportFolder } from '@onrush/report/report-folder'
import { RunAccount } from '@onrush/report/run-account'
import { type GatherNeeds, gatherFinished, gatherLost, secondsIn } from './gather.ts'
import { inTurns } from './in-turns.ts'
import { lostBooks } from './lost-books.ts'
import { type ShardEnd, shardJobId } from './shard-ends.ts'

export interface MergeNeeds extends GatherNeeds {
  readonly reportsFolder: string
  /** What this reporter saw of the run while it went on. */
  readonly live: {
    completeAccount(runId: string, seconds: ReadonlyMap<string, number>): Promise<RunAccount | undefined>
  }
}

export type Taking = NonNullable<RunJob['taking']>

/** Begins its run log and its report: who took part, and when the start really was. */
export function headerOf(job: RunJob, taking: Taking, startedAt: number | undefined): RunHeader {
  return {
    ...job.header,
    workers: taking.map(({ worker }) => worker),
    ...(startedAt === undefined ? {} : { startedAt: new Date(startedAt).toISOString() }),
  }
}

interface Part {
  readonly end: WorkerEnd
  readonly elapsedMs: number
  readonly stopped: RunEnd['stopped']
}

/**
 * Builds the report of a run all of whose shards are over, and puts it into its folder. Safe to repeat: the folder is
 * renamed into place when it is whole.
 */
export async function mergeRun(
  needs: MergeNeeds,
  job: RunJob,
  taking: Taking,
  ends: ReadonlyMap<string, ShardEnd>,
  teardownFailure: string | undefined,
): Promise<Report> {
  const { redis, reportsFolder } = needs
  const { runId } = job.plan
  const addresses = await addressesOf(redis)
  const startedAt = await startInstant(redis, runId)
  const header = headerOf(job, taking, startedAt)
  const record = await readRun(redis, runId)
  const began = [...ends.values()].flatMap(end => ('returned' in end ? [end.returned.startedAt] : []))
  const first = Math.min(...began)
  const folder = await ReportFolder.open(join(reportsFolder, runId))
  try {
    folder.log(header)
    const live = await needs.live.completeAccount(runId, await secondsOf(redis, runId, taking, ends))
    const account = live ?? new RunAccount(header)
    if (live !== undefined) await folder.copy(withoutHeader(await needs.liveLog.lines(runId)))
    const add = (frames: readonly Frame[]) =>
      live !== undefined
        ? Promise.resolve()
        : inTurns(frames, frame => {
            if (account.add(frame) === 'merged') folder.log(frame)
          })
    const parts: Part[] = []
    for (const [shard, { worker, share }] of taking.entries()) {
      const place = { runId, shard, worker: worker.id, address: addresses.get(worker.id) }
      const end = ends.get(shardJobId(runId, shard))
      if (end !== undefined && 'returned' in end) {
        const { result, startedAt: at } = end.returned
        const { frames, note } =
          live === undefined ? await gatherFinished(needs, place, result.totals) : { frames: [], note: undefined }
        await add(frames)
        parts.push({
          elapsedMs: result.elapsedMs,
          stopped: result.stopped,
          end: {
            id: worker.id,
            status: result.stopped === undefined ? 'finished' : 'stopped',
            books: result.books,
            imbalances: result.imbalances,
            crashes: result.crashes,
            notes: [...result.notes, ...(note === undefined ? [] : [note])],
            skewMs: at - first,
          },
        })
        continue
      }
      const error = end?.failure ?? 'it never said how it ended'
      const frames = await gatherLost(needs, place)
      await add(frames)
      const at = Math.max(0, ...frames.map(frame => frame.to))
      const lost = record?.workers.find(({ id }) => id === worker.id)?.status === 'lost'
      const books = startedAt === undefined ? [] : lostBooks(job.plan.populations, share, job.plan.seed, frames)
      parts.push({
        elapsedMs: at,
        stopped: undefined,
        end: {
          id: worker.id,
          status: lost ? 'lost' : 'failed',
          error,
          books,
          imbalances: books.flatMap(book => checkBooks(book).map(fault => `${book.population}: ${fault}`)),
          crashes: [],
          notes: lost ? [lostNote(at, startedAt !== undefined)] : [],
          ...(lost ? { lost: { at, takenOver: false } } : {}),
        },
      })
    }
    const end = await endOf(redis, runId, parts, startedAt !== undefined, teardownFailure)
    folder.log(end)
    const report = { ...account.toReport(end), run: header }
    await folder.finish(report)
    return report
  } catch (error) {
    await folder.discard()
    throw error
  }
}

/** How many seconds each worker counted: by its totals, or by what it left. */
async function secondsOf(
  redis: Redis,
  runId: string,
  taking: Taking,
  ends: ReadonlyMap<string, ShardEnd>,
): Promise<ReadonlyMap<string, number>> {
  const seconds = new Map<string, number>()
  for (const [shard, { worker }] of taking.entries()) {
    const end = ends.get(shardJobId(runId, shard))
    const frames =
      end !== undefined && 'returned' in end ? [end.returned.result.totals] : await readFrames(redis, runId, shard)
    seconds.set(worker.id, secondsIn(frames))
  }
  return seconds
}

async function* withoutHeader(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const line of lines) {
    if (!isFirst) yield line
    isFirst = false
  }
}

const lostNote = (at: number, hadStarted: boolean): string =>
  hadStarted
    ? `it was lost: its last sign of life counts up to ${(at / 1000).toFixed(1)} s after the start; what its part of the plan held beyond that is missed`
    : 'it was lost before the start'

async function endOf(
  redis: Redis,
  runId: string,
  parts: readonly Part[],
  hadStarted: boolean,
  teardownFailure: string | undefined,
): Promise<RunEnd> {
  const failure = await failureReason(redis, runId)
  const stop = failure === undefined ? await stopReason(redis, runId) : undefined
  const stopped = parts.find(part => part.stopped !== undefined)?.stopped
  const ends = parts.map(part => part.end)
  const base = {
    type: 'end' as const,
    endedAt: new Date().toISOString(),
    elapsedMs: Math.max(0, ...parts.map(part => part.elapsedMs)),
    ...(stopped === undefined ? {} : { stopped }),
    workers: ends,
  }
  if (failure !== undefined) return { ...base, status: 'failed', error: failure }
  if (stop !== undefined) return { ...base, status: 'stopped', ...(hadStarted ? {} : { error: stop }) }
  const broken = ends.filter(each => each.status === 'failed' || each.status === 'lost')
  if (!hadStarted || broken.length === ends.length) {
    return { ...base, status: 'failed', error: broken.map(({ id, error }) => `${id}: ${error}`).join('; ') }
  }
  if (teardownFailure !== undefined)
    return { ...base, status: 'failed', error: `the teardown failed: ${teardownFailure}` }
  if (ends.every(each => each.status === 'stopped')) return { ...base, status: 'stopped' }
  return { ...base, status: 'finished' }
}

async function addressesOf(redis: Redis): Promise<ReadonlyMap<string, string>> {
  const nodes = await listNodes(redis)
  return new Map(nodes.filter(node => node.alive).map(({ record }) => [record.id, record.address]))
}

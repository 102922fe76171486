import type { ReadableStream } from 'node:stream/web'
import { readFrames } from '@onrush/fleet/frame-log'
import type { Redis } from '@onrush/fleet/redis'
import type { Frame } from '@onrush/protocol/frame'
import { readRunLog } from '@onrush/report/read-run-log'
import type { LiveLog } from '../live/live-log.ts'

export interface GatherNeeds {
  readonly redis: Redis
  readonly secret: string
  readonly liveLog: LiveLog
}

export interface ShardPlace {
  readonly runId: string
  readonly shard: number
  readonly worker: string
  /** Where the worker answers; nothing when it is not known any more. */
  readonly address: string | undefined
}

export interface Gathered {
  readonly frames: readonly Frame[]
  /** What the report has to say of them. */
  readonly note: string | undefined
}

const fetchMs = 60_000

/** How many seconds of a shard are in frames, none counted twice. */
export function secondsIn(frames: readonly Frame[]): number {
  let seconds = 0
  const seen = new Set<string>()
  for (const { covers } of frames) {
    const key = JSON.stringify(covers)
    if (seen.has(key)) continue
    seen.add(key)
    for (const [, ranges] of covers) for (const [first, last] of ranges) seconds += last - first + 1
  }
  return seconds
}

/**
 * The frames of a shard that has returned its totals: from the worker's run log, or as they were seen live, or as they
 * lie in Redis, where older seconds have been added up. The first that holds all of the totals is taken; where none
 * does, the totals themselves, which are exact but have no course.
 */
export async function gatherFinished(needs: GatherNeeds, place: ShardPlace, totals: Frame): Promise<Gathered> {
  const wanted = secondsIn([totals])
  const problems: string[] = []
  try {
    const frames = await fromWorker(needs.secret, place)
    if (secondsIn(frames) === wanted) return { frames, note: undefined }
    problems.push('its run log is incomplete')
  } catch (error) {
    problems.push(`its run log cannot be fetched (${error instanceof Error ? error.message : String(error)})`)
  }
  const why = problems.join('; ')
  const live = await needs.liveLog.framesOf(place.runId, place.worker)
  if (secondsIn(live) === wanted) return { frames: live, note: `${why}: its course is the one that was seen live` }
  const stored = await readFrames(needs.redis, place.runId, place.shard)
  if (secondsIn(stored) === wanted)
    return { frames: stored, note: `${why}: its course is coarse, with half a minute added up at a time` }
  return { frames: [totals], note: `${why}: its numbers are exact, but without their course over time` }
}

/** The last word of a shard that did not return: what it left in Redis before it was sealed. */
export async function gatherLost(needs: GatherNeeds, place: ShardPlace): Promise<readonly Frame[]> {
  const stored = await readFrames(needs.redis, place.runId, place.shard)
  const live = await needs.liveLog.framesOf(place.runId, place.worker)
  const sealed = new Set(stored.flatMap(secondsOf))
  const finer = live.filter(frame => secondsOf(frame).every(second => sealed.has(second)))
  return secondsIn(finer) === sealed.size ? finer : stored
}

function secondsOf({ covers }: Frame): string[] {
  return covers.flatMap(([shard, ranges]) =>
    ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => `${shard} ${first + i}`)),
  )
}

async function fromWorker(secret: string, { runId, address }: ShardPlace): Promise<readonly Frame[]> {
  if (address === undefined) throw new Error('the worker is gone')
  const response = await fetch(`${address}/api/engine/simulation/${runId}`, {
    headers: { authorization: `Bearer ${secret}`, 'accept-encoding': 'gzip' },
    signal: AbortSignal.timeout(fetchMs),
    redirect: 'error',
  })
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    throw new Error(`it answers ${response.status}`)
  }
  const log = await readRunLog(linesOf(response.body), `the run log of ${address}`)
  return log.frames
}

/** A line of a log is a second of a worker; one that never ends is not a log. */
const longestLine = 16 * 1024 * 1024

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new Error('a line of the run log does not end')
    yield* lines
  }
  if (rest !== '') yield rest
}

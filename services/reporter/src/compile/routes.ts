import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from '@onrush/fleet/redis'
import type { WorkerCompile } from '@onrush/protocol/compile-outcome'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import { CompileRequest } from '@onrush/protocol/run-request'
import type { CompileOutcome } from '@onrush/protocol/simulation-entry'
import { jsonBody } from '@onrush/web/json-body'
import { lineStream } from '@onrush/web/line-stream'
import { Hono } from 'hono'
import type { Registry } from 'onrush/registry'
import { aliveNodes } from '../fleet/nodes.ts'
import type { Prefetcher } from './prefetcher.ts'

interface CompileNeeds {
  readonly redis: Redis
  readonly scripts: Registry
  readonly prefetcher: Prefetcher
}

const mostBody = limits.smallBody.value
const mostWatchers = limits.compileWatchers.value
/** Longer than this nobody waits for an answer: the stream tells how it goes on. */
const answerMs = 120_000

export const streamPath = '/api/compile/stream'

/** Compiles, and makes workers ready where they are named. */
export function compileRoutes({ redis, scripts, prefetcher }: CompileNeeds): Hono {
  return new Hono()
    .post('/api/compile', async c => {
      const { value } = await jsonBody(c, CompileRequest, mostBody)
      const { workers, pull } = value
      const named = workers === undefined ? undefined : await workersOf(workers)
      const compiling = compile(pull, named)
      // Where the answer does not wait for it, the stream has told what went wrong.
      compiling.catch(() => undefined)
      const outcome = await Promise.race([compiling, sleep(answerMs, undefined, { ref: false })])
      return outcome === undefined ? c.json({ links: { stream: streamPath } }, 202) : c.json(outcome)
    })
    .get(streamPath, lineStream(scripts.log.subscribe, mostWatchers))

  async function workersOf(workers: 'all' | readonly string[]) {
    const alive = await aliveNodes(redis, 'worker')
    if (workers === 'all') return alive
    const missing = workers.filter(id => !alive.some(node => node.id === id))
    if (missing.length > 0) {
      throw new OnrushError('not_found', `no such worker is alive: ${missing.join(', ')}; GET /api/workers lists them`)
    }
    return alive.filter(node => workers.includes(node.id))
  }

  async function compile(
    pull: boolean | undefined,
    workers: Awaited<ReturnType<typeof workersOf>> | undefined,
  ): Promise<CompileOutcome> {
    const outcome = await scripts.compile({ pull })
    if (outcome.error !== undefined) throw new OnrushError('conflict', outcome.error)
    if (workers === undefined) return outcome
    const ready: WorkerCompile[] = await prefetcher.makeReady(outcome.simulations, workers)
    return { ...outcome, ok: outcome.ok && ready.every(({ ok }) => ok), workers: ready }
  }
}

import { tellStop } from '@onrush/fleet/control'
import type { Redis } from '@onrush/fleet/redis'
import { hasEnded, openRunIds, readRun } from '@onrush/fleet/run-store'
import { EngineStopAnswer } from '@onrush/protocol/engine-status'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import type { NodeRecord } from '@onrush/protocol/node'
import { StopRequest } from '@onrush/protocol/run-request'
import type { StopAnswer } from '@onrush/protocol/stored-report'
import { jsonBody } from '@onrush/web/json-body'
import { Hono } from 'hono'
import type { NodeCalls } from '../fleet/node-calls.ts'
import { aliveNodes } from '../fleet/nodes.ts'

interface StopNeeds {
  readonly redis: Redis
  readonly calls: NodeCalls
}

/** Ids and a few words. */
const mostBody = limits.smallBody.value

/** Ends a run gently, wherever it is. A run that has ended is a conflict: there is nothing left to stop. */
export async function stopRun(redis: Redis, runId: string, reason: string): Promise<void> {
  const record = await readRun(redis, runId)
  if (record === undefined) throw new OnrushError('not_found', `there is no run ${runId}`)
  if (hasEnded(record.status)) throw new OnrushError('conflict', `run ${runId} is over already: it is ${record.status}`)
  await tellStop(redis, runId, reason)
}

async function stopWorker(calls: NodeCalls, node: NodeRecord): Promise<StopAnswer['workers'][number]> {
  try {
    const { stopped, runId } = EngineStopAnswer.parse(await calls.json(node, '/api/engine/stop'))
    return { id: node.id, stopped, ...(runId === undefined ? {} : { runId }) }
  } catch (error) {
    return { id: node.id, stopped: false, error: error instanceof Error ? error.message : String(error) }
  }
}

export function stopRoutes({ redis, calls }: StopNeeds): Hono {
  return new Hono().post('/api/stop', async c => {
    const { value } = await jsonBody(c, StopRequest, mostBody)
    const answer: StopAnswer = { runs: [], workers: [] }
    if ('runId' in value) {
      await stopRun(redis, value.runId, 'stopped over /api/stop')
      answer.runs.push(value.runId)
    } else if ('all' in value) {
      for (const runId of await openRunIds(redis)) {
        await tellStop(redis, runId, 'all runs were stopped over /api/stop')
        answer.runs.push(runId)
      }
    } else {
      const nodes = new Map((await aliveNodes(redis, 'worker')).map(node => [node.id, node]))
      const missing = value.workers.filter(id => !nodes.has(id))
      if (missing.length > 0) {
        throw new OnrushError(
          'not_found',
          `no such worker is alive: ${missing.join(', ')}; GET /api/workers lists them`,
        )
      }
      const named = value.workers.flatMap(id => nodes.get(id) ?? [])
      answer.workers.push(...(await Promise.all(named.map(node => stopWorker(calls, node)))))
    }
    return c.json(answer, 202)
  })
}

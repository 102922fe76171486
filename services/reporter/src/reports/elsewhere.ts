import type { Redis } from '@onrush/fleet/redis'
import { readRun } from '@onrush/fleet/run-store'
import type { NodeRecord } from '@onrush/protocol/node'
import type { NodeCalls } from '../fleet/node-calls.ts'
import { aliveNodes } from '../fleet/nodes.ts'

/** Marks a question of one node to another, which then looks on its own disk only: two must not ask each other in turn. */
export const onlyHere = 'x-onrush-only-here'

/** Reporters build reports, and a worker that ran something alone its own. */
async function mayHold(redis: Redis, runId: string): Promise<NodeRecord[]> {
  const run = await readRun(redis, runId)
  const took = new Set(run?.workers.map(({ id }) => id))
  const workers = took.size === 1 ? await aliveNodes(redis, 'worker') : []
  return [...(await aliveNodes(redis, 'reporter')), ...workers.filter(({ id }) => took.has(id))]
}

/** A file of a report that another node holds, streamed through. */
export async function reportElsewhere(
  { redis, calls, self }: { redis: Redis; calls: NodeCalls; self: string },
  runId: string,
  name: string,
): Promise<Response | undefined> {
  for (const node of await mayHold(redis, runId)) {
    if (node.id === self) continue
    const found = await calls.ask(node, `/report/${runId}/${name}`, { headers: { [onlyHere]: '1' } }).catch(() => {
      // One that cannot be reached may have it; there is no telling, and the others are asked.
      return undefined
    })
    if (found?.ok === true) return found
    await found?.body?.cancel()
  }
  return undefined
}

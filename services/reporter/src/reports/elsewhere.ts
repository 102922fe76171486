import type { Redis } from '@onrush/fleet/redis'
import type { NodeCalls } from '../fleet/node-calls.ts'
import { aliveNodes } from '../fleet/nodes.ts'

/** Marks a question of one reporter to another, which then looks on its own disk only: two must not ask each other in turn. */
export const onlyHere = 'x-onrush-only-here'

/** A file of a report that another reporter holds, streamed through. */
export async function reportElsewhere(
  { redis, calls, self }: { redis: Redis; calls: NodeCalls; self: string },
  runId: string,
  name: string,
): Promise<Response | undefined> {
  for (const node of await aliveNodes(redis, 'reporter')) {
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

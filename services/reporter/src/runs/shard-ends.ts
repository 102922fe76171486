import { ShardReturn } from '@onrush/fleet/jobs'
import type { Job } from '@onrush/fleet/queues'

/** How each shard of a run ended: what it returned, or why it did not. */
export type ShardEnd = { readonly returned: ShardReturn } | { readonly failure: string }

/** `{onrush}:worker.w1:checkout-…-s0` names a child; its id follows the last colon. */
const idOf = (key: string): string => key.slice(key.lastIndexOf(':') + 1)

export async function shardEnds(job: Job): Promise<ReadonlyMap<string, ShardEnd>> {
  const ends = new Map<string, ShardEnd>()
  for (const [key, reason] of Object.entries(await job.getIgnoredChildrenFailures())) {
    ends.set(idOf(key), { failure: reason })
  }
  for (const [key, value] of Object.entries(await job.getChildrenValues())) {
    const checked = ShardReturn.safeParse(value)
    // A teardown returns nothing; what is no shard's return is nobody's here.
    if (checked.success) ends.set(idOf(key), { returned: checked.data })
  }
  return ends
}

export const shardJobId = (runId: string, shard: number): string => `${runId}-s${shard}`
export const teardownJobId = (runId: string): string => `${runId}-teardown`

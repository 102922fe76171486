import { listNodes } from '@onrush/fleet/heartbeat'
import type { Redis } from '@onrush/fleet/redis'
import type { NodeRecord } from '@onrush/protocol/node'

/** The nodes of one role whose heart beats. */
export async function aliveNodes(redis: Redis, role: NodeRecord['role']): Promise<NodeRecord[]> {
  const nodes = await listNodes(redis)
  return nodes.filter(node => node.alive && node.record.role === role).map(node => node.record)
}

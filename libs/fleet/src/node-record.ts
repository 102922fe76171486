import { availableParallelism, hostname } from 'node:os'
import type { NodeRecord } from '@onrush/protocol/node'
import { protocolVersion } from '@onrush/protocol/protocol-version'
import type { ProcessLoad } from './process-load.ts'

export interface NodeIdentity {
  readonly id: string
  readonly role: NodeRecord['role']
  readonly address: string
  readonly label: string | undefined
  readonly version: string
  readonly threads: number
}

/** A node as it announces itself, all but what it does. It counts as started when this is called. */
export function announcing(
  { label, ...identity }: NodeIdentity,
  load: ProcessLoad,
): () => Omit<NodeRecord, 'status' | 'runId'> {
  const startedAt = new Date().toISOString()
  return () => {
    const { cpu, memory } = load.read()
    return {
      ...identity,
      ...(label === undefined ? {} : { label }),
      hostname: hostname(),
      protocol: protocolVersion,
      startedAt,
      cores: availableParallelism(),
      memory,
      load: cpu,
    }
  }
}

import type { ProcessLoad } from '@onrush/fleet/process-load'
import type { EngineStatus } from '@onrush/protocol/engine-status'
import type { NodeRecord } from '@onrush/protocol/node'
import { protocolVersion } from '@onrush/protocol/protocol-version'
import type { WorkerConfig } from './config.ts'
import type { EngineSlot } from './engine-slot.ts'

interface Facts {
  readonly id: string
  readonly config: WorkerConfig
  readonly address: string
  readonly version: string
  readonly hostname: string
  readonly cores: number
  readonly startedAt: string
  readonly slot: EngineSlot
  readonly load: ProcessLoad
}

/** This worker in the two shapes in which others ask for it: what its engine does, and who it is in the fleet. */
export function describeNode(facts: Facts): { status(): EngineStatus; record(): NodeRecord } {
  const { id, config, version, cores, slot, load } = facts
  const label = config.label === undefined ? {} : { label: config.label }
  return {
    status() {
      const { cpu, memory, average } = load.read()
      const { state, runId, startedAt, endedAt, code, error } = slot.view
      return {
        id,
        ...label,
        version,
        state,
        ...(runId === undefined ? {} : { runId }),
        ...(startedAt === undefined ? {} : { startedAt: startedAt.toISOString() }),
        ...(endedAt === undefined ? {} : { endedAt: endedAt.toISOString() }),
        ...(code === undefined ? {} : { code }),
        ...(error === undefined ? {} : { error }),
        cores,
        threads: config.threads,
        cpu,
        memory,
        load: average,
      }
    },
    record() {
      const { cpu, memory } = load.read()
      const { state, runId } = slot.view
      return {
        id,
        role: 'worker',
        address: facts.address,
        hostname: facts.hostname,
        ...label,
        version,
        protocol: protocolVersion,
        status: state,
        ...(runId === undefined || state === 'idle' ? {} : { runId }),
        startedAt: facts.startedAt,
        cores,
        threads: config.threads,
        memory,
        load: cpu,
      }
    },
  }
}

import { availableParallelism } from 'node:os'
import { announcing } from '@onrush/fleet/node-record'
import type { ProcessLoad } from '@onrush/fleet/process-load'
import type { EngineStatus } from '@onrush/protocol/engine-status'
import type { NodeRecord } from '@onrush/protocol/node'
import type { WorkerConfig } from './config.ts'
import type { EngineSlot } from './engine-slot.ts'

interface Facts {
  readonly id: string
  readonly config: WorkerConfig
  readonly address: string
  readonly version: string
  readonly slot: EngineSlot
  readonly load: ProcessLoad
}

/** This worker in the two shapes in which others ask for it: what its engine does, and who it is in the fleet. */
export function describeNode(facts: Facts): { status(): EngineStatus; record(): NodeRecord } {
  const { id, address, version, slot, load } = facts
  const { label, threads } = facts.config
  const announced = announcing({ id, role: 'worker', address, label, version, threads }, load)
  return {
    status() {
      const { cpu, memory, average } = load.read()
      const { state, runId, startedAt, endedAt, code, error } = slot.view
      return {
        id,
        ...(label === undefined ? {} : { label }),
        version,
        state,
        ...(runId === undefined ? {} : { runId }),
        ...(startedAt === undefined ? {} : { startedAt: startedAt.toISOString() }),
        ...(endedAt === undefined ? {} : { endedAt: endedAt.toISOString() }),
        ...(code === undefined ? {} : { code }),
        ...(error === undefined ? {} : { error }),
        cores: availableParallelism(),
        threads,
        cpu,
        memory,
        load: average,
      }
    },
    record() {
      const { state, runId } = slot.view
      return {
        ...announced(),
        status: state,
        ...(runId === undefined || state === 'idle' ? {} : { runId }),
      }
    },
  }
}

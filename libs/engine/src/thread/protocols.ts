import type { SessionSettings } from '@onrush/context/context'
import type { ShardPlan } from '@onrush/protocol/plan'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import type { RequestStep } from '@onrush/protocol/step'
import type { GrpcNeeds } from '../grpc/open-grpc.ts'
import type { TargetGuard } from '../http/target-guard.ts'
import { HttpProtocol } from '../http-protocol.ts'
import { JsonRpcProtocol } from '../jsonrpc/jsonrpc-protocol.ts'
import type { Protocol } from '../protocol.ts'
import type { Session } from '../session/session.ts'
import { SqlProtocol } from '../sql/sql-protocol.ts'

export interface OpenProtocols {
  readonly byType: { readonly [T in RequestStep['type']]?: Protocol | undefined }
  /** All steps are compiled: opens what they need before the load begins. */
  prepare(faults: Fault[]): Promise<void>
  readonly endSession: (session: Session) => void
  close(): Promise<void>
}

/** Every protocol that this engine speaks, opened for a thread. A further one is one more line. */
export async function openProtocols(
  simulation: Simulation,
  plan: Pick<ShardPlan, 'files' | 'threads'>,
  settings: SessionSettings,
  guard: TargetGuard | undefined,
  faults: Fault[],
): Promise<OpenProtocols> {
  const { environment } = settings
  const files = new Map(Object.entries(plan.files))
  const http = new HttpProtocol(simulation.http ?? {}, environment, files, guard)
  const sql = new SqlProtocol({ connections: simulation.sql ?? {}, environment, threads: plan.threads, guard })
  const grpc = await grpcOf(simulation, { environment, files, guard }, faults)
  const jsonrpc = new JsonRpcProtocol(simulation.jsonrpc, http.tools)
  const all: readonly Protocol[] = [http, sql, jsonrpc, ...(grpc === undefined ? [] : [grpc])]
  return {
    byType: { http, sql, grpc, jsonrpc },
    prepare: async faults => {
      for (const protocol of all) await protocol.prepare?.(faults)
    },
    endSession: session => {
      for (const protocol of all) protocol.endSession(session)
    },
    close: async () => {
      await Promise.all(all.map(protocol => protocol.close()))
    },
  }
}

/** Loaded by simulations that use it: its packages are large. */
async function grpcOf(simulation: Simulation, needs: GrpcNeeds, faults: Fault[]): Promise<Protocol | undefined> {
  if (simulation.grpc === undefined) return undefined
  const { openGrpc } = await import('../grpc/open-grpc.ts')
  return openGrpc(simulation, needs, faults)
}

import type { Environment } from '@onrush/context/environment'
import type { Fault } from '@onrush/protocol/problem'
import type { RequestStep } from '@onrush/protocol/step'
import type { Protocol, RequestRunner } from '../protocol.ts'
import type { Session } from '../session/session.ts'
import { CallWatch } from './call-watch.ts'
import type { GrpcConnection } from './grpc-connection.ts'
import { GrpcRunner } from './grpc-step.ts'

/** `grpc` steps over the connections that a simulation declares. */
export class GrpcProtocol implements Protocol {
  readonly failsFrom = 1
  readonly #connections: ReadonlyMap<string, GrpcConnection>
  readonly #environment: Environment
  readonly #watch = new CallWatch()

  constructor(connections: ReadonlyMap<string, GrpcConnection>, environment: Environment) {
    this.#connections = connections
    this.#environment = environment
  }

  compile(step: RequestStep, where: string, faults: Fault[]): RequestRunner | undefined {
    if (step.type !== 'grpc') return undefined
    const [first] = this.#connections.values()
    // Which connections there are was checked with the simulation; one that could not be opened has its fault already.
    const connection = step.on === undefined ? first : this.#connections.get(step.on)
    if (connection?.schema === undefined) return undefined
    const method = connection.schema.method(step.method)
    if (typeof method !== 'string') {
      const tools = { environment: this.#environment, watch: this.#watch }
      return new GrpcRunner(step, connection, method, tools, where, faults)
    }
    faults.push({ path: `${where}.method`, message: method })
    return undefined
  }

  endSession(session: Session): void {
    for (const connection of this.#connections.values()) connection.release(session)
  }

  close(): Promise<void> {
    this.#watch.close()
    for (const connection of this.#connections.values()) connection.close()
    return Promise.resolve()
  }
}

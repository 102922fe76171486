import { Metadata, Server, ServerCredentials, type UntypedServiceImplementation } from '@grpc/grpc-js'
import type { Context } from '@onrush/context/context'
import { createEnvironment } from '@onrush/context/environment'
import { Random } from '@onrush/context/random'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { Simulation } from '@onrush/protocol/simulation'
import type { TargetGuard } from '../http/target-guard.ts'
import type { Outcome } from '../protocol.ts'
import { Session } from '../session/session.ts'
import { openGrpc } from './open-grpc.ts'

/** Methods by path, on messages as bytes: what a server may send is more than what any library would let it. */
export async function bareServer(
  methods: {
    readonly [path: string]: { readonly handle: UntypedServiceImplementation[string]; readonly streams?: boolean }
  },
  credentials = ServerCredentials.createInsecure(),
  wanted = 0,
) {
  const server = new Server()
  const bytes = (value: Buffer): Buffer => value
  for (const [path, { handle, streams = false }] of Object.entries(methods)) {
    const kind = { requestStream: streams, responseStream: streams }
    const codec = {
      requestSerialize: bytes,
      requestDeserialize: bytes,
      responseSerialize: bytes,
      responseDeserialize: bytes,
    }
    server.addService({ only: { path, ...kind, ...codec } }, { only: handle })
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${wanted}`, credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    )
  })
  return {
    address: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => {
      server.forceShutdown()
      return Promise.resolve()
    },
  }
}

export interface Called {
  readonly outcome: Outcome
  readonly context: Context
}

/** Opens one connection and calls one method on it, in a session of its own. Throws the faults where there are any. */
export async function callOnce(
  connection: object,
  step: object,
  needs: {
    readonly files?: ReadonlyMap<string, string>
    readonly guard?: TargetGuard
    readonly variables?: { [name: string]: Json }
  } = {},
): Promise<Called> {
  const simulation = Simulation.parse({
    grpc: { it: connection },
    inject: [{ type: 'atOnceUsers', users: 1 }],
    scenarios: [{ name: 'a', steps: [{ type: 'grpc', name: 'call', ...step }] }],
  })
  const faults: Fault[] = []
  const environment = createEnvironment({}, [], faults)
  const { files = new Map(), guard, variables = {} } = needs
  const protocol = await openGrpc(simulation, { environment, files, guard }, faults)
  const [written] = simulation.scenarios[0]?.steps ?? []
  const runner = written?.type === 'grpc' ? protocol.compile(written, '$', faults) : undefined
  try {
    if (runner === undefined || faults.length > 0)
      throw new AggregateError(faults.map(({ path, message }) => `${path}: ${message}`))
    const session = new Session({ sendLag: () => undefined })
    session.reset(1)
    const globals = { runId: 'r', worker: 'w', user: 1, iteration: 1, arrival: 1 }
    const settings = { environment, variables: { names: [], apply: () => undefined }, renderResponses: false }
    session.context.beginSession(settings, globals, new Random(0, 0))
    for (const [name, value] of Object.entries(variables)) session.context.export('_j', name, value)
    const outcome = await runner.run(session)
    return { outcome, context: session.context }
  } finally {
    await protocol.close()
  }
}

export function metadata(pairs: { readonly [name: string]: string | Buffer }): Metadata {
  const made = new Metadata()
  for (const [name, value] of Object.entries(pairs)) made.add(name, value)
  return made
}

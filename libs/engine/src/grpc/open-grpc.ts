import { readFileSync } from 'node:fs'
import type { Environment } from '@onrush/context/environment'
import { durationMs } from '@onrush/protocol/duration'
import { OnrushError } from '@onrush/protocol/error'
import { jsonPath } from '@onrush/protocol/json-path'
import type { Fault } from '@onrush/protocol/problem'
import type { GrpcConnection as Declared } from '@onrush/protocol/rpc-step'
import type { Simulation } from '@onrush/protocol/simulation'
import { createSettle, type Settle } from '../http/settle.ts'
import type { TargetGuard } from '../http/target-guard.ts'
import type { Files } from '../http/tls-settings.ts'
import { AddressBook, parseAddress } from './address.ts'
import { channelCredentials, type GrpcChannel, type Tls } from './grpc-channel.ts'
import { GrpcConnection } from './grpc-connection.ts'
import { GrpcProtocol } from './grpc-protocol.ts'
import { readProtos } from './proto-files.ts'
import { reflect } from './reflection.ts'

export interface GrpcNeeds {
  readonly environment: Environment
  readonly files: Files
  readonly guard?: TargetGuard | undefined
}

/** How long a server may take to say what it offers. */
const reflectionLimit = 10_000

/** Opens what a simulation declares under `grpc`: addresses checked, certificates read, services known. */
export async function openGrpc(simulation: Simulation, needs: GrpcNeeds, faults: Fault[]): Promise<GrpcProtocol> {
  const addresses = new AddressBook(needs.guard)
  const connections = new Map<string, GrpcConnection>()
  for (const [name, declared] of Object.entries(simulation.grpc ?? {})) {
    const where = jsonPath(['grpc', name])
    const settle = createSettle(needs.environment, where, faults)
    const connection = openConnection(declared, addresses, needs.files, settle)
    if (connection === undefined) continue
    connections.set(name, connection)
    await describe(connection, name, simulation, needs.files, settle)
  }
  return new GrpcProtocol(connections, needs.environment)
}

function openConnection(
  declared: Declared,
  addresses: AddressBook,
  files: Files,
  settle: Settle,
): GrpcConnection | undefined {
  const written = settle.text(declared.address, '.address')
  if (written.constant === undefined) {
    settle.fault(
      '.address',
      `expected an address that is known before the run, like "{{$._env.catalog}}", got ${JSON.stringify(declared.address)}`,
    )
    return undefined
  }
  const address = parseAddress(written.constant)
  if (address === undefined) {
    settle.fault('.address', `expected "host:port", got ${JSON.stringify(written.constant.slice(0, 100))}`)
    return undefined
  }
  try {
    const credentials = channelCredentials(readTls(declared.tls, files, settle))
    return new GrpcConnection(declared, address, addresses, credentials)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    settle.fault('.tls', `the certificate or key cannot be used (${why}): expected PEM files that belong together`)
    return undefined
  }
}

function readTls(tls: Declared['tls'], files: Files, settle: Settle): Tls | undefined {
  if (tls === undefined || tls === false) return undefined
  const named = tls === true ? {} : tls
  const read = (field: 'ca' | 'cert' | 'key'): Buffer | undefined => {
    const name = named[field]
    if (name === undefined) return undefined
    try {
      return readFileSync(files.get(name) ?? name)
    } catch {
      // Whatever the reason, what helps is the same.
      settle.fault(`.tls.${field}`, `cannot read "${name}": expected a PEM file beside the script`)
      return undefined
    }
  }
  return { ca: read('ca'), cert: read('cert'), key: read('key'), insecure: named.insecure === true }
}

async function describe(
  connection: GrpcConnection,
  name: string,
  simulation: Simulation,
  files: Files,
  settle: Settle,
): Promise<void> {
  const { declared } = connection
  const isOnly = Object.keys(simulation.grpc ?? {}).length === 1
  try {
    if (declared.proto !== undefined) {
      connection.describe(readProtos([declared.proto].flat(), declared.includes ?? [], files))
      return
    }
    const services = new Set<string>()
    for (const step of grpcSteps(simulation.scenarios)) {
      if (step.on === name || (step.on === undefined && isOnly)) services.add(serviceOf(step.method))
    }
    // Nothing to call, nothing to ask.
    if (services.size === 0) return
    const opened = await connection.shared()
    if ('kind' in opened) throw new OnrushError('unavailable', opened.message)
    const limitMs =
      declared.deadline === undefined ? reflectionLimit : Math.min(reflectionLimit, durationMs(declared.deadline))
    await settled(opened, limitMs)
    const metadata = Object.entries(declared.metadata ?? {}).flatMap(([field, value]): [string, string][] => {
      const { constant } = settle.text(value, `.metadata.${field}`)
      return constant === undefined ? [] : [[field, constant]]
    })
    const options = { metadata, limitMs, address: connection.authority }
    connection.describe(await reflect(opened, [...services], options))
  } catch (error) {
    if (!(error instanceof OnrushError)) throw error
    settle.fault(declared.proto === undefined ? '.address' : '.proto', error.message)
  }
}

async function settled(channel: GrpcChannel, limitMs: number): Promise<void> {
  if (!channel.isSettled) await channel.settle(Date.now() + limitMs, new AbortController().signal)
}

const serviceOf = (method: string): string => method.replace(/^\//, '').split('/')[0] ?? ''

interface Step {
  readonly type: 'grpc'
  readonly on?: string | undefined
  readonly method: string
}

/** Every `grpc` step, however deep in loops and conditions. */
function* grpcSteps(value: unknown): Generator<Step> {
  if (Array.isArray(value)) for (const each of value) yield* grpcSteps(each)
  else if (isGrpcStep(value)) yield value
  else if (typeof value === 'object' && value !== null) {
    for (const field of ['steps', 'then', 'else', 'of']) yield* grpcSteps(Reflect.get(value, field))
  }
}

function isGrpcStep(value: unknown): value is Step {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'grpc'
}

import type { Assertion } from '@onrush/protocol/assertion'
import { demand } from '@onrush/protocol/check'
import type { Duration } from '@onrush/protocol/duration'
import { OnrushError } from '@onrush/protocol/error'
import type { Profile } from '@onrush/protocol/injection'
import type { Json } from '@onrush/protocol/json'
import { Simulation } from '@onrush/protocol/simulation'

export interface QuickGrpc {
  /** `shop.Catalog/GetItem` */
  readonly method: string
  /** `127.0.0.1:7091`; `grpcs://` before it means TLS. */
  readonly address: string
  /** JSON: a map is the message, a list the messages of a client's stream. */
  readonly body?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Without them the server is asked. */
  readonly protos?: readonly string[] | undefined
  readonly insecure?: boolean | undefined
  readonly deadline?: Duration | undefined
  readonly assert?: Assertion | undefined
  readonly inject: Profile
}

const prefix = /^(grpcs?):\/\/([^/]+)\/?$/i

/** The simulation that one call under load stands for. Throws `OnrushError` for what cannot be one. */
export function quickGrpc(quick: QuickGrpc): Simulation {
  const [, scheme = 'grpc', address = quick.address] = prefix.exec(quick.address) ?? []
  const tls = quick.insecure === true ? { insecure: true } : scheme.toLowerCase() === 'grpcs'
  const { method, metadata, protos, deadline, assert } = quick
  const name = method.slice(0, 200)
  const simulation = {
    description: `${method} at ${address}`,
    grpc: { target: { address, tls, ...(protos === undefined || protos.length === 0 ? {} : { proto: protos }) } },
    inject: quick.inject,
    scenarios: [
      { name, steps: [{ type: 'grpc', name, method, metadata, deadline, assert, ...messageOf(quick.body) }] },
    ],
    ...(assert === undefined ? {} : { thresholds: { checks: ['rate==1'] } }),
  }
  return demand(Simulation, simulation, 'the call')
}

function messageOf(body: string | undefined): { message?: Json } | { messages?: Json[] } {
  if (body === undefined) return {}
  let message: Json
  try {
    message = JSON.parse(body)
  } catch (cause) {
    throw new OnrushError('invalid', `expected the message as JSON, like {"id": 7}, got ${body.slice(0, 100)}`, {
      cause,
    })
  }
  return Array.isArray(message) ? { messages: message } : { message }
}

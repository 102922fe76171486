import { quickGrpc } from '@onrush/engine/quick-grpc'
import type { Assertion } from '@onrush/protocol/assertion'
import { assertionFromText, joinAssertions } from '@onrush/protocol/assertion-text'
import { demand } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import type { Profile } from '@onrush/protocol/injection'
import type { Simulation } from '@onrush/protocol/simulation'
import { Single, simulationOfSingle } from '@onrush/protocol/single'
import { quickSqlSimulation } from '@onrush/protocol/sql-quick'
import type { Method } from './readings.ts'

export interface QuickFlags {
  readonly users: number | undefined
  readonly requests: number | undefined
  readonly duration: string | undefined
  readonly rate: number | undefined
  readonly method: Method | undefined
  readonly header: readonly (readonly [string, string])[]
  readonly body: string | undefined
  readonly assert: readonly string[]
  readonly timeout: string | undefined
  readonly insecure: boolean
  /** In place of a request over HTTP. */
  readonly sql: string | undefined
  readonly grpc: string | undefined
}

/** hey's: enough to see something at once, little enough to do no harm. */
const defaults = { users: 50, requests: 200 }

export function profileOf({ users, requests, duration, rate }: QuickFlags): Profile {
  if (requests !== undefined && duration !== undefined) {
    throw new OnrushError('invalid', 'expected -n or -z: a number of requests, or a duration, not both')
  }
  if (rate !== undefined) {
    const lasting = duration ?? { value: (requests ?? defaults.requests) / rate, unit: 'second' as const }
    return [{ type: 'constantUsersPerSec', rate, duration: lasting }]
  }
  if (duration !== undefined) return [{ type: 'constantConcurrentUsers', users: users ?? defaults.users, duration }]
  const iterations = requests ?? defaults.requests
  return [{ type: 'iterations', iterations, users: Math.min(users ?? defaults.users, iterations) }]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // Then it is text, which is as good a body.
    return false
  }
}

/** Headers of one name are sent as one, joined as HTTP joins them. */
function headersOf({ header, body }: QuickFlags): Record<string, string> {
  const headers = new Map<string, [string, string]>()
  for (const [name, value] of header) {
    const known = headers.get(name.toLowerCase())
    headers.set(name.toLowerCase(), [name, known === undefined ? value : `${known[1]}, ${value}`])
  }
  if (body !== undefined && !headers.has('content-type')) {
    headers.set('content-type', ['content-type', isJson(body) ? 'application/json' : 'text/plain'])
  }
  return Object.fromEntries(headers.values())
}

function assertionOf({ assert }: QuickFlags): Assertion | undefined {
  return joinAssertions(assert.map(assertionFromText).filter(each => typeof each !== 'string'))
}

/** The simulation of requests over HTTP that the flags stand for. */
export function quickSimulation(url: string, flags: QuickFlags): Simulation {
  const assert = assertionOf(flags)
  const headers = headersOf(flags)
  const single = demand(
    Single,
    {
      url: /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`,
      method: flags.method ?? (flags.body === undefined ? 'GET' : 'POST'),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(flags.body === undefined ? {} : { body: flags.body }),
      // Who states what must hold wants to hear of it when it does not.
      ...(assert === undefined ? {} : { assert, thresholds: { checks: ['rate==1'] } }),
      inject: profileOf(flags),
    },
    'the request',
  )
  const simulation = simulationOfSingle(single)
  return {
    ...simulation,
    http: {
      ...(flags.timeout === undefined ? {} : { timeout: { total: flags.timeout } }),
      ...(flags.insecure ? { tls: { insecure: true } } : {}),
      // Nothing looks at the body then, so nobody needs to keep it.
      ...(assert === undefined ? { discardBody: true } : {}),
    },
  }
}

/** Flags that mean nothing to a protocol are refused: one that is ignored would cost its user an afternoon. */
function refuse(protocol: string, given: Readonly<Record<string, boolean>>): void {
  const faults = Object.entries(given)
    .filter(([, isGiven]) => isGiven)
    .map(([flag]) => ({ path: flag, message: `${flag} belongs to HTTP: it means nothing with ${protocol}` }))
  if (faults.length > 0)
    throw new OnrushError('invalid', faults.map(({ message }) => message).join('; '), { errors: faults })
}

/** What is put under load: a request, a call or a statement. */
export function simulationOfQuick(target: string, flags: QuickFlags): Simulation {
  const { sql, grpc, method, header, body, insecure, timeout, users } = flags
  if (sql !== undefined && grpc !== undefined) throw new OnrushError('invalid', 'expected --sql or --grpc, not both')
  if (sql !== undefined) {
    refuse('--sql', { '-m': method !== undefined, '-H': header.length > 0, '-b': body !== undefined, '-k': insecure })
    const inject = profileOf(flags)
    const statement = { statement: sql, url: target, inject, assert: assertionOf(flags), timeout, connections: users }
    return quickSqlSimulation(statement)
  }
  if (grpc !== undefined) {
    refuse('--grpc', { '-m': method !== undefined })
    const metadata = Object.fromEntries(header)
    const call = {
      method: grpc,
      address: target,
      body,
      metadata,
      insecure,
      deadline: timeout,
      assert: assertionOf(flags),
    }
    return quickGrpc({ ...call, inject: profileOf(flags) })
  }
  return quickSimulation(target, flags)
}

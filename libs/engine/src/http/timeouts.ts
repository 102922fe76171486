import { type Duration, durationMs } from '@onrush/protocol/duration'
import type { HttpStep } from '@onrush/protocol/http-step'
import type { Timeouts } from './transport.ts'

/** Long enough for any service that still is one, short enough that a dead one does not hold all sessions for long. */
const defaults: Timeouts = { connect: 10_000, headers: 60_000, body: 60_000, total: 120_000 }

type Written = HttpStep['timeout']

/** One duration limits the whole; the step's fields win over the simulation's, those over the defaults. */
export function timeoutsOf(step: Written, simulation: Written): Timeouts {
  return { ...defaults, ...inMs(simulation), ...inMs(step) }
}

function inMs(written: Written): Partial<Timeouts> {
  if (written === undefined) return {}
  if (isDuration(written)) return { total: durationMs(written) }
  const { connect, headers, body, total } = written
  return {
    ...(connect === undefined ? {} : { connect: durationMs(connect) }),
    ...(headers === undefined ? {} : { headers: durationMs(headers) }),
    ...(body === undefined ? {} : { body: durationMs(body) }),
    ...(total === undefined ? {} : { total: durationMs(total) }),
  }
}

const isDuration = (written: NonNullable<Written>): written is Duration =>
  typeof written === 'string' || 'unit' in written

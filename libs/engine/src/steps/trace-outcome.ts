import type { CompiledAssertion } from '@onrush/context/assertion'
import type { Context } from '@onrush/context/context'
import type { CompiledExports } from '@onrush/context/exports'
import type { Outcome } from '../protocol.ts'
import type { Mask } from '../session/mask.ts'
import type { Session } from '../session/session.ts'
import { type Failing, failureMessage } from './judge.ts'
import { requestShown } from './sample.ts'

const bodyLength = 20_000

function trailersShown({ trailers = {} }: Context, mask: Mask): { trailers?: Record<string, string> } {
  return Object.keys(trailers).length === 0 ? {} : { trailers: mask.headers(trailers) }
}

/** Tells a trace all that a request came to, in the order it happened. */
export function traceOutcome(
  session: Session,
  step: string,
  outcome: Outcome,
  failing: Failing | undefined,
  assertion: CompiledAssertion | undefined,
  exports: CompiledExports | undefined,
  secrets: Mask,
): void {
  const { context, trace } = session
  if (trace === undefined) return
  const mask = secrets.ofRequest(context._req?.headers)
  const request = requestShown(context, mask, bodyLength)
  if (request !== undefined) trace({ type: 'request', step, ...request })
  for (const hop of outcome.hops) trace({ type: 'redirect', step, status: hop.status })
  if (context.status !== undefined) {
    const body = mask.body(context.entity, bodyLength)
    trace({
      type: 'response',
      step,
      status: context.status,
      headers: mask.headers(context.headers ?? {}),
      ...trailersShown(context, mask),
      ...(body === undefined ? {} : { body }),
      ms: outcome.endedAt - outcome.sentAt,
      connectMs: outcome.connectMicros / 1000,
      firstByteMs: outcome.firstByteMicros / 1000,
    })
  }
  if (outcome.failure === undefined) {
    for (const [i, check] of (assertion?.checks ?? []).entries()) {
      const failed = failing?.checks.find(({ index }) => index === i)
      const { expected, actual } = failed ?? {}
      const values =
        failed === undefined ? {} : { expected: mask.text(expected ?? ''), actual: mask.text(actual ?? '') }
      trace({ type: 'assertion', step, check, ok: failed === undefined, ...values })
    }
  }
  const exported = failing === undefined || failing.kind === 'export' ? (exports?.names ?? []) : []
  for (const name of exported) {
    const scope = name in context._s ? '_s' : '_j'
    const value = scope === '_s' ? context._s[name] : context._j[name]
    if (value !== undefined) trace({ type: 'export', step, name, scope, value: mask.body(value, 200) ?? String(value) })
  }
  if (failing !== undefined) {
    trace({ type: 'failure', step, kind: failing.kind, message: mask.text(failureMessage(failing)) })
  }
}

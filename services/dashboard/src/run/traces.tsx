import { latency } from '@onrush/protocol/figures'
import type { TraceEvent } from '@onrush/protocol/trace'
import { Card } from '../parts/card.tsx'
import { reachable } from '../parts/reachable.ts'
import type { RunView } from './view.ts'

/** An event in a line; nothing for what only frames the others. */
function line(event: TraceEvent): { text: string; kind?: string } | undefined {
  switch (event.type) {
    case 'request':
      return {
        text: `→ ${[event.method, event.url].filter(Boolean).join(' ') || event.step}${event.body === undefined ? '' : `  ${event.body}`}`,
      }
    case 'response':
      return {
        text: `← ${event.status} in ${latency(event.ms)}${event.body === undefined ? '' : `  ${event.body}`}`,
        ...(event.status >= 400 ? { kind: 'failed' } : {}),
      }
    case 'assertion':
      return event.ok
        ? undefined
        : { text: `✗ ${event.check}: expected ${event.expected}, got ${event.actual}`, kind: 'failed' }
    case 'failure':
      return { text: `✗ ${event.step}: ${event.kind}: ${event.message}`, kind: 'failed' }
    case 'export':
      return { text: `  ${event.scope}.${event.name} = ${event.value}` }
    default:
      return undefined
  }
}

/** What the sessions of a verbose run send and get, as it happens. */
export function Traces({ view }: { view: RunView }) {
  const { traces } = view
  if (traces.length === 0) return null
  return (
    <Card title="Requests and responses" note="of a few sessions, the latest first">
      <section class="console" aria-label="Requests and responses" {...reachable}>
        {traces
          .map(({ worker, session, event }, i) => ({ key: `${worker} ${session} ${i}`, session, said: line(event) }))
          .filter(({ said }) => said !== undefined)
          .toReversed()
          .map(({ key, session, said }) => (
            <p key={key} class={said?.kind}>
              <span class="muted">{session}</span> {said?.text}
            </p>
          ))}
      </section>
    </Card>
  )
}

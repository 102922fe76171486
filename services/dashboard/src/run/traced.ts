import type { TraceEvent, TraceMessage } from '@onrush/protocol/trace'

/** Something a session of a verbose run did. */
export interface Traced {
  readonly worker: string
  readonly session: string
  readonly event: TraceEvent
}

const most = 400

export function addTraces(before: readonly Traced[], { worker, events }: TraceMessage): readonly Traced[] {
  return [...before, ...events.map(each => ({ worker, ...each }))].slice(-most)
}

import type { ThresholdResult } from '@onrush/protocol/summary'
import type { RunView } from './view.ts'

/** What happened in a run that its charts mark. */
export interface RunEvent {
  /** Milliseconds since the start. */
  readonly at: number
  readonly kind: 'lost' | 'threshold' | 'stop'
  readonly text: string
}

export const crossings = (thresholds: readonly ThresholdResult[]): RunEvent[] =>
  thresholds.flatMap(({ failedAt, metric, check }) =>
    failedAt === undefined ? [] : [{ at: failedAt, kind: 'threshold' as const, text: `${metric} ${check} failed` }],
  )

const lostIn = ({ workers, reserved }: Pick<RunView, 'workers' | 'reserved'>) =>
  new Set([...workers, ...reserved].filter(({ status }) => status === 'lost').map(({ id }) => id))

/** Of a run that goes on: crossings carry their time, a loss happened when it was first told of. */
export function eventsOf(before: RunView, now: RunView): RunEvent[] {
  const known = lostIn(before)
  const lost = [...lostIn(now)].filter(id => !known.has(id))
  return [
    ...before.events.filter(({ kind }) => kind !== 'threshold'),
    ...lost.map(id => ({ at: now.elapsedMs, kind: 'lost' as const, text: `${id} lost` })),
    ...crossings(now.thresholds),
  ]
}

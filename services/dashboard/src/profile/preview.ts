import { curve, summaryOf } from '@onrush/load/curve'
import { planOf } from '@onrush/load/plan'
import { count, duration, rate } from '@onrush/protocol/figures'
import type { Profile } from '@onrush/protocol/injection'

export interface Preview {
  readonly points: readonly { at: number; value: number }[]
  /** Nothing: until the iterations are done. */
  readonly durationMs: number | undefined
  readonly unit: 'rate' | 'users'
  readonly sentence: string
}

const fineness = 240

/** What a profile is going to do, by the very arithmetic that will do it. */
export function previewOf(inject: Profile): Preview {
  const plan = planOf({ inject }, 0)
  const { total, peak, duration: length } = summaryOf(plan)
  const time = length === undefined ? 'until they are done' : `in ${duration(length)}`
  if (plan.kind === 'open') {
    const sentence = `${count(total ?? 0)} sessions ${time}, at most ${rate(peak)}`
    return { points: curve(plan, fineness), durationMs: length, unit: 'rate', sentence }
  }
  const sentence =
    plan.kind === 'closed'
      ? `At most ${count(peak)} sessions at once, for ${duration(length ?? 0)}`
      : `${count(total ?? 0)} sessions by ${count(peak)} at once, ${time}`
  return { points: curve(plan, fineness), durationMs: length, unit: 'users', sentence }
}

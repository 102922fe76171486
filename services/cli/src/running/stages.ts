import { durationMs } from '@onrush/protocol/duration'
import type { Injection } from '@onrush/protocol/injection'
import type { Read } from '../arguments/option.ts'
import { duration } from '../arguments/readings.ts'

export interface Stage {
  readonly duration: string
  readonly target: number
}

/** `30s:10`: within 30 s go evenly to 10. */
export const stage: Read<Stage> = text => {
  const [first = '', target = '', ...rest] = text.split(':')
  const read = duration(first)
  if (rest.length > 0 || !/^\d+(\.\d+)?$/.test(target) || 'problem' in read) {
    return { problem: `expected a stage like "30s:10" (duration:target), got "${text}"` }
  }
  return { value: { duration: read.value, target: Number(target) } }
}

const kinds = {
  users: (from: number, to: number, lasting: string): Injection =>
    from === to
      ? { type: 'constantConcurrentUsers', users: to, duration: lasting }
      : { type: 'rampConcurrentUsers', from, to, duration: lasting },
  rate: (from: number, to: number, lasting: string): Injection =>
    from === to
      ? { type: 'constantUsersPerSec', rate: to, duration: lasting }
      : { type: 'rampUsersPerSec', from, to, duration: lasting },
} as const

/** Stages as k6 knows them: each goes evenly from the level before to its own; one of no duration only jumps there. */
export function profileOfStages(stages: readonly Stage[], of: keyof typeof kinds, start: number): Injection[] {
  let level = start
  const profile: Injection[] = []
  for (const { duration: lasting, target } of stages) {
    if (durationMs(lasting) > 0) profile.push(kinds[of](level, target, lasting))
    level = target
  }
  return profile
}

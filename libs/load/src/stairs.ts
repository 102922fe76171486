import type { Injection } from '@onrush/protocol/injection'
import { type Decimal, decimal, plus, times } from './decimal.ts'
import { nanosOf } from './nanos.ts'

type StairsStep = Extract<Injection, { type: 'incrementUsersPerSec' | 'incrementConcurrentUsers' }>

/** One stretch of a staircase: a level (`from` = `to`) or the ramp up to the next. */
export interface Stair {
  from: Decimal
  to: Decimal
  nanos: number
}

/** `times` levels: `from`, `from + step`, …; ramps stand between levels only, none before the first or after the last. */
export function* stairsOf(step: StairsStep): Generator<Stair> {
  const lasting = nanosOf(step.eachLevelLasting)
  const ramp = step.separatedByRampsLasting === undefined ? 0 : nanosOf(step.separatedByRampsLasting)
  const level = (i: number): Decimal => plus(decimal(step.from), times(decimal(step.step), decimal(i)))
  for (let i = 0; i < step.times; i++) {
    if (i > 0 && ramp > 0) yield { from: level(i - 1), to: level(i), nanos: ramp }
    yield { from: level(i), to: level(i), nanos: lasting }
  }
}

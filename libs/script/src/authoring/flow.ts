import type { Assertion } from './assertion.ts'
import type { Duration } from './duration.ts'
import { placed } from './place.ts'
import type { Branch, ChooseStep, DuringStep, GroupStep, RepeatStep, Step, WhenStep } from './step-types.ts'

/** Steps that are also timed as one, under this name. */
export function group(name: string, steps: readonly Step[]): GroupStep {
  return placed({ type: 'group', name, steps })
}

/** Repeats steps: a number of times, or as often as a variable says: `repeat('{{$._s.count}}', [ … ])`. */
export function repeat(times: number | `{{${string}}}`, steps: readonly Step[]): RepeatStep {
  return placed({ type: 'repeat', times, steps })
}

/** Repeats steps until this much time has passed; a pass that has begun is finished. */
export function during(time: Duration, steps: readonly Step[]): DuringStep {
  return placed({ type: 'during', for: time, steps })
}

/** A condition, to which `otherwise` can add what is done when it does not hold. */
export interface When extends WhenStep {
  otherwise(steps: readonly Step[]): WhenStep
}

/** Steps for sessions that meet a condition: `when({ '$._s.role': 'admin' }, [ … ]).otherwise([ … ])`. */
export function when(assertion: Assertion, steps: readonly Step[]): When {
  const otherwise = (others: readonly Step[]): WhenStep =>
    placed({ type: 'when', if: assertion, then: steps, else: others })
  // Not enumerable: the step stays plain data for JSON and for structured cloning.
  return placed(
    Object.defineProperty({ type: 'when', if: assertion, then: steps, otherwise }, 'otherwise', { enumerable: false }),
  )
}

/** One of several branches, picked by weight: `choose([{ weight: 3, steps: [ … ] }, { weight: 1, steps: [ … ] }])`. */
export function choose(branches: readonly Branch[]): ChooseStep {
  return placed({ type: 'choose', of: branches })
}

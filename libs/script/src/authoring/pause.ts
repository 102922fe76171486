import type { Duration } from './duration.ts'
import { placed } from './place.ts'
import type { PaceStep, PauseStep } from './step-types.ts'

/** A pause drawn from a distribution. */
export type DrawnPause =
  | { readonly min: Duration; readonly max: Duration; readonly distribution?: 'uniform' }
  /** Exponential (the default) needs only the mean. */
  | { readonly mean: Duration; readonly distribution?: 'exponential' }
  | { readonly mean: Duration; readonly distribution: 'normal'; readonly stddev: Duration }

/** Waits: `pause('1s')`, between two times `pause('1s', '3s')`, or drawn: `pause({ mean: '2s' })`. */
export function pause(drawn: DrawnPause): PauseStep
export function pause(min: Duration, max: Duration): PauseStep
// Last, because it is the one that the compiler speaks of when nothing fits.
export function pause(time: Duration): PauseStep
export function pause(first: Duration | DrawnPause, max?: Duration): PauseStep {
  if (typeof first === 'object' && !('unit' in first)) return placed({ type: 'pause', ...first })
  return placed(max === undefined ? { type: 'pause', for: first } : { type: 'pause', min: first, max })
}

/** Waits until this much time has passed since the session was last here, so that a loop keeps an even beat. */
export function pace(every: Duration): PaceStep {
  return placed({ type: 'pace', every })
}

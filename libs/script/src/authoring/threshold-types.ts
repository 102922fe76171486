import type { Duration } from './duration.ts'

/** A statistic, a comparison, a number: `p(95)<500`, `rate<0.01`, `count>100`. Durations are in milliseconds. */
export type Check = `${string}${'<' | '>' | '==' | '!='}${string}`

export interface ThresholdOptions {
  /** A sliding window instead of the whole run. */
  readonly over?: Duration
  /** What came before this is left out. */
  readonly after?: Duration
  /** End the run as soon as it fails. */
  readonly abort?: boolean
}

export type Threshold = Check | (ThresholdOptions & { readonly check: Check })

/** `metric{selector}` to checks: `{ duration: ['p(95)<500'], 'duration{step:log in}': ['p(95)<300'] }`. */
export interface Thresholds {
  readonly [metric: string]: readonly Threshold[]
}

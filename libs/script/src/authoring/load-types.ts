import type { Duration } from './duration.ts'

export interface Stairs {
  /** The first level. */
  readonly from: number
  /** Added at each level; may be negative. */
  readonly step: number
  /** How many levels. */
  readonly times: number
  readonly eachLevelLasting: Duration
  /** Without it, the levels follow each other at once. */
  readonly separatedByRampsLasting?: Duration
}

/** One step of a profile. Open steps plan arrivals; closed steps keep a number of sessions going. */
export type Injection =
  | { readonly type: 'nothingFor'; readonly duration: Duration }
  | { readonly type: 'atOnceUsers'; readonly users: number }
  | { readonly type: 'rampUsers'; readonly users: number; readonly duration: Duration }
  | { readonly type: 'constantUsersPerSec'; readonly rate: number; readonly duration: Duration }
  | {
      readonly type: 'rampUsersPerSec'
      readonly from: number
      readonly to: number
      readonly duration: Duration
    }
  | { readonly type: 'heavisideUsers'; readonly users: number; readonly duration: Duration }
  | ({ readonly type: 'incrementUsersPerSec' } & Stairs)
  | { readonly type: 'constantConcurrentUsers'; readonly users: number; readonly duration: Duration }
  | {
      readonly type: 'rampConcurrentUsers'
      readonly from: number
      readonly to: number
      readonly duration: Duration
    }
  | ({ readonly type: 'incrementConcurrentUsers' } & Stairs)
  | {
      readonly type: 'iterations'
      readonly iterations: number
      readonly users: number
      readonly maxDuration?: Duration
    }

/** One step of a ceiling on requests per second over the whole run. */
export type ThrottleStep =
  | { readonly type: 'reach'; readonly rps: number; readonly in: Duration }
  | { readonly type: 'hold'; readonly for: Duration }
  | { readonly type: 'jump'; readonly rps: number }

/** How often a session passes through its scenarios before it ends. */
export type Loop = { readonly forever: true } | { readonly repeat: number }

/** The load of one population, and what stands around it. */
export interface LoadOptions {
  /** The shape of the load, step by step: `[rampRate(1, 200, '30s'), constantRate(200, '5m')]`. */
  readonly inject?: readonly Injection[]
  /** How arrivals are spaced: evenly (the default), or at random as independent people come. */
  readonly arrivals?: 'uniform' | 'poisson'
  /** How often a session passes through its scenarios: `{ repeat: n }` or `{ forever: true }` (default once). */
  readonly loop?: Loop
  /** No new session starts later, and those that run are ended. */
  readonly maxDuration?: Duration
  /** The whole profile begins this much after the start. */
  readonly startAfter?: Duration
  /** Sessions end evenly over this time instead of all at once. */
  readonly rampDown?: Duration
  /** One pass through the scenarios takes at least this long. */
  readonly pace?: Duration
  /** Pauses are multiplied by this: 0 leaves them out, 0.5 halves them. */
  readonly thinkTimes?: number
  /** More sessions than this at once are dropped, and counted. */
  readonly maxUsers?: number
}

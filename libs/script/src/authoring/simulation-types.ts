import type { SetupFunction, TeardownFunction } from './code-types.ts'
import type { Duration } from './duration.ts'
import type { Feed } from './feed-types.ts'
import type { HttpDefaults } from './http-types.ts'
import type { Json, Secret } from './json.ts'
import type { LoadOptions, ThrottleStep } from './load-types.ts'
import type { GrpcConnection, JsonRpcDefaults } from './rpc-types.ts'
import type { SqlConnection } from './sql-types.ts'
import type { Step } from './step-types.ts'
import type { Thresholds } from './threshold-types.ts'

export interface ScenarioOptions extends LoadOptions {
  readonly description?: string
  /** Each session runs one of the weighted scenarios, picked by weight. */
  readonly weight?: number
  /** Rows of data; each pass through the scenario takes one (of each feed, when there are several). */
  readonly feed?: Feed | readonly Feed[]
  /** Variables the scenario starts with: literals or templates. */
  readonly imports?: { readonly [variable: string]: Json }
  readonly steps: readonly Step[]
}

/** A named list of steps. With an `inject` of its own it is a population; with a weight, one of several to pick from. */
export interface Scenario extends ScenarioOptions {
  readonly name: string
}

/** Variables of one environment: `{{$._env.shop}}`. */
export interface Environment {
  readonly [variable: string]: Json | Secret
}

/** Limits of the generator's own verdict. */
export interface GeneratorLimits {
  /** A p99 send lag beyond this makes the run invalid (default 10 ms). */
  readonly lagP99?: Duration
  /** A share of missed arrivals beyond this makes the run invalid (default 0.001). */
  readonly missed?: number
}

export interface Simulation extends LoadOptions {
  readonly description?: string
  /** Named sets of variables; one is in effect in a run (`--env staging`), the first one by default. */
  readonly environments?: { readonly [name: string]: Environment }
  /** Variables that each session starts with: `{{$._j.currency}}`. */
  readonly variables?: { readonly [variable: string]: Json }
  /** Defaults for all HTTP steps. */
  readonly http?: HttpDefaults
  /** Databases, by the name that steps use in `on`. */
  readonly sql?: { readonly [name: string]: SqlConnection }
  /** gRPC servers, by the name that steps use in `on`. */
  readonly grpc?: { readonly [name: string]: GrpcConnection }
  readonly jsonrpc?: JsonRpcDefaults
  /** A ceiling on requests per second over the whole run. */
  readonly throttle?: readonly ThrottleStep[]
  /** With an `inject` of its own a scenario is a population; those without one run in order within each session. */
  readonly scenarios: readonly Scenario[]
  /** What makes the run pass or fail. */
  readonly thresholds?: Thresholds
  readonly generator?: GeneratorLimits
  /** What a failed step does to its session (default stop); each step may say otherwise. */
  readonly onFailure?: 'stop' | 'continue'
  /** Whether `{{$.…}}` inside responses is rendered too (default true). */
  readonly renderResponses?: boolean
  /** Makes shuffles, random pauses and random values repeat. */
  readonly seed?: number
  /** Runs once per run, before the first session. What it returns (JSON) is `$._g.setup` in every session. */
  readonly setup?: SetupFunction
  /** Runs once per run, after the last session. */
  readonly teardown?: TeardownFunction
}

/**
 * What a script imports. Each builder returns plain data; nothing runs until the script has been checked. The modules
 * behind it import no schema, so that checking a script's types stays a matter of a tenth of a second.
 */
export type { CodeOutcome } from '@onrush/protocol/code-session'
export type { Assertion, Condition, Operators } from './authoring/assertion.ts'
export type { CodeFunction, CodeHttp, CodeSession } from './authoring/code-types.ts'
export type { Duration } from './authoring/duration.ts'
export type { ExportRule, Exports, Transform } from './authoring/exports.ts'
export { csv, json, jsonl, rows } from './authoring/feed.ts'
export type { CsvOptions, Feed, FeedOptions, Row } from './authoring/feed-types.ts'
export { choose, during, group, repeat, type When, when } from './authoring/flow.ts'
export { http } from './authoring/http.ts'
export type { Auth, HttpDefaults, HttpOptions, HttpStep, Tls } from './authoring/http-types.ts'
export {
  atOnce,
  constantRate,
  constantUsers,
  heaviside,
  iterations,
  nothingFor,
  ramp,
  rampRate,
  rampUsers,
  stairsRate,
  stairsUsers,
} from './authoring/injection.ts'
export type { Json, Secret } from './authoring/json.ts'
export type { Injection, LoadOptions, Stairs, ThrottleStep } from './authoring/load-types.ts'
export type { Path } from './authoring/path.ts'
export { type DrawnPause, pace, pause } from './authoring/pause.ts'
export { grpc, rpc } from './authoring/rpc.ts'
export type { GrpcConnection, GrpcOptions, GrpcStep, JsonRpcOptions, JsonRpcStep } from './authoring/rpc-types.ts'
export { secret } from './authoring/secret.ts'
export { scenario, simulation } from './authoring/simulation.ts'
export type { Environment, Scenario, ScenarioOptions, Simulation } from './authoring/simulation-types.ts'
export { sql } from './authoring/sql.ts'
export type { SqlConnection, SqlOptions, SqlStatement, SqlStep } from './authoring/sql-types.ts'
export { step } from './authoring/step.ts'
export type { Step } from './authoring/step-types.ts'
export { threshold } from './authoring/threshold.ts'
export type { Threshold, Thresholds } from './authoring/threshold-types.ts'
export { hold, jump, reach } from './authoring/throttle.ts'

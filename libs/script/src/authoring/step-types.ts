import type { Assertion } from './assertion.ts'
import type { CodeFunction } from './code-types.ts'
import type { Duration } from './duration.ts'
import type { HttpStep } from './http-types.ts'
import type { GrpcStep, JsonRpcStep } from './rpc-types.ts'
import type { SqlStep } from './sql-types.ts'

export interface PauseStep {
  readonly type: 'pause'
  readonly for?: Duration
  readonly min?: Duration
  readonly max?: Duration
  readonly distribution?: 'uniform' | 'exponential' | 'normal'
  readonly mean?: Duration
  readonly stddev?: Duration
}
export interface PaceStep {
  readonly type: 'pace'
  readonly every: Duration
}
export interface CodeStep {
  readonly type: 'code'
  readonly name: string
  readonly run: CodeFunction
  readonly onFailure?: 'stop' | 'continue'
}
export interface GroupStep {
  readonly type: 'group'
  readonly name: string
  readonly steps: readonly Step[]
}
export interface RepeatStep {
  readonly type: 'repeat'
  readonly times: number | string
  readonly steps: readonly Step[]
}
export interface DuringStep {
  readonly type: 'during'
  readonly for: Duration
  readonly steps: readonly Step[]
}
export interface WhenStep {
  readonly type: 'when'
  readonly if: Assertion
  readonly then: readonly Step[]
  readonly else?: readonly Step[]
}
export interface Branch {
  readonly weight: number
  readonly steps: readonly Step[]
}
export interface ChooseStep {
  readonly type: 'choose'
  readonly of: readonly Branch[]
}

/** One thing a session does. */
export type Step =
  | HttpStep
  | SqlStep
  | GrpcStep
  | JsonRpcStep
  | PauseStep
  | PaceStep
  | CodeStep
  | GroupStep
  | RepeatStep
  | DuringStep
  | WhenStep
  | ChooseStep

import { z } from 'zod'
import { Assertion } from './assertion.ts'
import type { CodeFunction } from './code.ts'
import { Duration } from './duration.ts'
import { HttpStep } from './http-step.ts'
import { limits } from './limits.ts'
import { GrpcStep, JsonRpcStep } from './rpc-step.ts'
import { SqlStep } from './sql-step.ts'
import { StepName } from './step-fields.ts'

const Pause = z
  .strictObject({
    type: z.literal('pause'),
    for: Duration.optional(),
    min: Duration.optional(),
    max: Duration.optional(),
    distribution: z.enum(['uniform', 'exponential', 'normal']).optional(),
    mean: Duration.optional(),
    stddev: Duration.optional(),
  })
  .superRefine((pause, context) => {
    const fixed = pause.for !== undefined
    const range = pause.min !== undefined && pause.max !== undefined
    const drawn = pause.mean !== undefined
    if (Number(fixed) + Number(range) + Number(drawn) !== 1) {
      context.addIssue({
        code: 'custom',
        message: 'expected "for", or "min" and "max", or "mean" with a "distribution"',
      })
    }
    if (drawn && pause.distribution === 'normal' && pause.stddev === undefined) {
      context.addIssue({ code: 'custom', path: ['stddev'], message: 'a normal distribution needs "stddev"' })
    }
  })
export type PauseStep = z.infer<typeof Pause>

const Pace = z.strictObject({ type: z.literal('pace'), every: Duration })
export type PaceStep = z.infer<typeof Pace>

const Code = z.strictObject({
  type: z.literal('code'),
  name: StepName,
  run: z.custom<CodeFunction>(value => typeof value === 'function', {
    error: 'expected a function; code steps are written in TypeScript: step("name", async session => { … })',
  }),
  onFailure: z.enum(['stop', 'continue']).optional(),
})
export type CodeStep = z.infer<typeof Code>

const steps = (): z.ZodArray<z.ZodType<Step>> => z.array(z.lazy(() => Step)).max(limits.steps.value)

export interface GroupStep {
  type: 'group'
  name: string
  steps: Step[]
}
export interface RepeatStep {
  type: 'repeat'
  times: number | string
  steps: Step[]
}
export interface DuringStep {
  type: 'during'
  for: Duration
  steps: Step[]
}
export interface WhenStep {
  type: 'when'
  if: Assertion
  then: Step[]
  else?: Step[] | undefined
}
export interface ChooseStep {
  type: 'choose'
  of: { weight: number; steps: Step[] }[]
}

export type RequestStep = HttpStep | SqlStep | GrpcStep | JsonRpcStep
export type Step =
  | RequestStep
  | PauseStep
  | PaceStep
  | CodeStep
  | GroupStep
  | RepeatStep
  | DuringStep
  | WhenStep
  | ChooseStep

const Group = z.strictObject({ type: z.literal('group'), name: StepName, steps: steps() })
const Repeat = z.strictObject({
  type: z.literal('repeat'),
  times: z.union([z.int().nonnegative().max(limits.iterations.value), z.string().regex(/^\{\{.*\}\}$/)], {
    error: 'expected a whole number, or one reference like "{{$._s.count}}"',
  }),
  steps: steps(),
})
const During = z.strictObject({ type: z.literal('during'), for: Duration, steps: steps() })
const When = z.strictObject({
  type: z.literal('when'),
  if: Assertion,
  then: steps(),
  else: steps().optional(),
})
const Choose = z.strictObject({
  type: z.literal('choose'),
  of: z.array(z.strictObject({ weight: z.number().positive(), steps: steps() })).min(1),
})

export const stepTypes = [
  'http',
  'sql',
  'grpc',
  'jsonrpc',
  'pause',
  'pace',
  'group',
  'repeat',
  'during',
  'when',
  'choose',
  'code',
] as const satisfies readonly Step['type'][]

export const Step: z.ZodType<Step> = z.discriminatedUnion('type', [
  HttpStep,
  SqlStep,
  GrpcStep,
  JsonRpcStep,
  Pause,
  Pace,
  Group,
  Repeat,
  During,
  When,
  Choose,
  Code,
])

import { z } from 'zod'
import { VariableName } from './export.ts'
import { Feed } from './feed.ts'
import { Json } from './json.ts'
import { limits } from './limits.ts'
import { loadFields } from './load.ts'
import { Step } from './step.ts'
import { StepName } from './step-fields.ts'

/** A named list of steps. With an `inject` of its own it is a population; with a weight, one of several to pick from. */
export const Scenario = z.strictObject({
  name: StepName,
  description: z.string().optional(),
  ...loadFields,
  weight: z
    .number()
    .positive()
    .optional()
    .describe('each session runs one of the weighted scenarios, picked by weight'),
  feed: z
    .union([Feed, z.array(Feed)], { error: 'expected a feed { file | rows, order, share } or a list of them' })
    .optional(),
  imports: z
    .record(VariableName, Json)
    .optional()
    .describe('variables the scenario starts with: literals or templates'),
  steps: z.array(Step).min(1, { error: 'expected at least one step' }).max(limits.steps.value),
})
export type Scenario = z.infer<typeof Scenario>

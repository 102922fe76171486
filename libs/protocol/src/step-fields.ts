import { z } from 'zod'
import { Assertion } from './assertion.ts'
import { Exports } from './export.ts'
import { limits } from './limits.ts'

/** A step's name is a metric's name: short, and free of what selectors and log lines use. */
export const StepName = z
  .string()
  .min(1, { error: 'expected a name' })
  .max(limits.name.value)
  .regex(/^[^\p{Cc}]*$/u, { error: 'a name cannot hold control characters' })

/** What every request has, whatever its protocol. */
export const requestFields = {
  name: StepName.describe('the metric this step is counted under; may be a template'),
  assert: Assertion.optional(),
  export: Exports.optional(),
  onFailure: z.enum(['stop', 'continue']).optional().describe('what a failed step does to its session (default stop)'),
  renderResponses: z.boolean().optional(),
  tags: z.record(z.string(), z.string()).optional(),
}

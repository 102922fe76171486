import { z } from 'zod'
import { Duration } from './duration.ts'

/** `p(95)<500`: a statistic, a comparison, a number. What metrics and selectors exist is checked against the simulation. */
const Check = z.string().regex(/^\s*[a-z]+(\(\d+(\.\d+)?\))?\s*(<=|>=|<|>|==|!=)\s*-?\d+(\.\d+)?\s*$/, {
  error: 'expected a check like "p(95)<500", "rate<0.01", "count>100" (durations in milliseconds)',
})

export const Threshold = z.union(
  [
    Check,
    z.strictObject({
      check: Check,
      over: Duration.optional().describe('a sliding window instead of the whole run'),
      after: Duration.optional().describe('what came before this is left out'),
      abort: z.boolean().optional().describe('end the run as soon as it fails'),
    }),
  ],
  { error: 'expected a check like "p(95)<500", or { check, over, after, abort }' },
)
export type Threshold = z.infer<typeof Threshold>

export const Thresholds = z
  .record(z.string().min(1).max(300), z.array(Threshold).min(1))
  .describe('metric{selector} to checks: { "duration{step:log in}": ["p(95)<300"] }')
export type Thresholds = z.infer<typeof Thresholds>

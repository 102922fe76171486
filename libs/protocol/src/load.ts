import { z } from 'zod'
import { Duration } from './duration.ts'
import { Profile } from './injection.ts'
import { limits } from './limits.ts'

/** Steps of a ceiling on requests per second over the whole run. */
export const Throttle = z.array(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('reach'), rps: z.number().positive().max(limits.rate.value), in: Duration }),
    z.strictObject({ type: z.literal('hold'), for: Duration }),
    z.strictObject({ type: z.literal('jump'), rps: z.number().positive().max(limits.rate.value) }),
  ]),
)
export type Throttle = z.infer<typeof Throttle>

/** How often a session passes through its scenarios before it ends. */
export const Loop = z.union(
  [z.strictObject({ forever: z.literal(true) }), z.strictObject({ repeat: z.int().positive() })],
  {
    error: 'expected { "forever": true } or { "repeat": n }',
  },
)
export type Loop = z.infer<typeof Loop>

/** The load of one population, and what stands around it. */
export const loadFields = {
  inject: Profile.optional().describe('the shape of the load, step by step'),
  arrivals: z.enum(['uniform', 'poisson']).optional(),
  loop: Loop.optional(),
  maxDuration: Duration.optional().describe('no new session starts later, and those that run are ended'),
  startAfter: Duration.optional().describe('the whole profile begins this much after the start'),
  rampDown: Duration.optional().describe('sessions end evenly over this time instead of all at once'),
  pace: Duration.optional().describe('one pass through the scenarios takes at least this long'),
  thinkTimes: z.number().nonnegative().max(1000).optional().describe('pauses are multiplied by this'),
  maxUsers: z
    .int()
    .positive()
    .max(limits.users.value)
    .optional()
    .describe('more sessions than this at once are dropped, and counted'),
}

import { z } from 'zod'
import { Duration } from './duration.ts'
import { limits } from './limits.ts'

const users = z.int().nonnegative().max(limits.users.value)
const rate = z.number().nonnegative().max(limits.rate.value).describe('per second')
const stairs = {
  from: z.number().nonnegative(),
  step: z.number(),
  times: z.int().positive().max(limits.levels.value),
  eachLevelLasting: Duration,
  separatedByRampsLasting: Duration.optional(),
}

/** One step of an open profile: it plans arrivals, whatever the target does. */
const open = [
  z.strictObject({ type: z.literal('nothingFor'), duration: Duration }),
  z.strictObject({ type: z.literal('atOnceUsers'), users }),
  z.strictObject({ type: z.literal('rampUsers'), users, duration: Duration }),
  z.strictObject({ type: z.literal('constantUsersPerSec'), rate, duration: Duration }),
  z.strictObject({ type: z.literal('rampUsersPerSec'), from: rate, to: rate, duration: Duration }),
  z.strictObject({ type: z.literal('heavisideUsers'), users, duration: Duration }),
  z.strictObject({ type: z.literal('incrementUsersPerSec'), ...stairs }),
] as const

/** One step of a closed profile: it keeps so many sessions going. */
const closed = [
  z.strictObject({ type: z.literal('constantConcurrentUsers'), users, duration: Duration }),
  z.strictObject({ type: z.literal('rampConcurrentUsers'), from: users, to: users, duration: Duration }),
  z.strictObject({ type: z.literal('incrementConcurrentUsers'), ...stairs }),
] as const

/** A fixed number of sessions, shared out over so many users. */
const Iterations = z.strictObject({
  type: z.literal('iterations'),
  iterations: z.int().positive().max(limits.iterations.value),
  users: users.min(1).default(1),
  maxDuration: Duration.optional(),
})

export const OpenInjection = z.discriminatedUnion('type', [...open])
export type OpenInjection = z.infer<typeof OpenInjection>
export const ClosedInjection = z.discriminatedUnion('type', [...closed])
export type ClosedInjection = z.infer<typeof ClosedInjection>
export type IterationsInjection = z.infer<typeof Iterations>

const Injection = z.discriminatedUnion('type', [...open, ...closed, Iterations])
export type Injection = z.infer<typeof Injection>

const kindOf = (injection: Injection): 'open' | 'closed' | 'iterations' | 'neutral' => {
  if (injection.type === 'iterations') return 'iterations'
  if (injection.type === 'nothingFor') return 'neutral'
  return injection.type.includes('Concurrent') ? 'closed' : 'open'
}

/** The kind of a whole profile; a pause (`nothingFor`) takes the kind of what stands beside it. */
export function profileKind(inject: readonly Injection[]): 'open' | 'closed' | 'iterations' {
  for (const injection of inject) {
    const kind = kindOf(injection)
    if (kind !== 'neutral') return kind
  }
  return 'open'
}

export const Profile = z
  .array(Injection)
  .min(1)
  .max(limits.injections.value)
  .superRefine((inject, context) => {
    const kinds = new Set(inject.map(kindOf).filter(kind => kind !== 'neutral'))
    if (kinds.size > 1) {
      context.addIssue({
        code: 'custom',
        message: `expected steps of one kind, got ${[...kinds].join(' and ')}: give each kind a scenario of its own with its own "inject"`,
      })
    }
    if (kinds.has('iterations') && inject.length > 1) {
      context.addIssue({ code: 'custom', message: '"iterations" stands alone in a profile' })
    }
    inject.forEach((injection, i) => {
      if (!('times' in injection)) return
      const last = injection.from + injection.step * (injection.times - 1)
      if (last < 0) {
        context.addIssue({
          code: 'custom',
          path: [i, 'step'],
          message: `the last level would be ${last}; levels cannot fall below 0`,
        })
      }
    })
  })
export type Profile = z.infer<typeof Profile>

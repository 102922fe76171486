import { z } from 'zod'
import { Assertion } from './assertion.ts'
import { Duration } from './duration.ts'
import { Feed } from './feed.ts'
import { Headers, methods } from './http-step.ts'
import { type Injection, Profile } from './injection.ts'
import { Json } from './json.ts'
import { limits } from './limits.ts'
import { Loop, Throttle } from './load.ts'
import type { Simulation } from './simulation.ts'
import { startFields } from './start-fields.ts'
import { StepName } from './step-fields.ts'

const rateNeedsDuration = 'a rate needs a duration like "30s"'

/** One request under load: what a simulation of a single step says, without the ceremony. */
export const Single = z
  .strictObject({
    name: StepName.optional(),
    url: z.string().min(1).max(limits.url.value),
    method: z.enum(methods).optional(),
    headers: Headers.optional(),
    body: Json.optional(),
    inject: Profile.optional(),
    users: z
      .int()
      .positive()
      .max(limits.users.value)
      .optional()
      .describe('concurrent sessions, or with "iterations" who shares them'),
    rate: z.number().positive().max(limits.rate.value).optional().describe('arrivals per second'),
    duration: Duration.optional(),
    iterations: z.int().positive().max(limits.iterations.value).optional(),
    feed: Feed.optional(),
    loop: Loop.optional(),
    maxDuration: Duration.optional(),
    assert: Assertion.optional(),
    throttle: Throttle.optional(),
    ...startFields,
  })
  .superRefine((single, context) => {
    const report = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (!/^(https?:\/\/|\{\{)/.test(single.url)) {
      report('url', `expected an absolute URL like "http://host/path", got ${JSON.stringify(single.url.slice(0, 100))}`)
    }
    const short = (['users', 'rate', 'duration', 'iterations'] as const).filter(field => single[field] !== undefined)
    if (single.inject !== undefined) {
      for (const field of short) report(field, `"${field}" is a short form of "inject": give one of the two`)
      return
    }
    if (short.length === 0)
      report('inject', 'expected a load: "inject", or "users" or "rate" with a "duration", or "iterations"')
    if (single.rate !== undefined && single.duration === undefined) report('duration', rateNeedsDuration)
    if (single.rate !== undefined && (single.users !== undefined || single.iterations !== undefined)) {
      report('rate', 'a rate (arrivals) stands alone; "users" and "iterations" plan a closed load')
    }
    if (
      single.duration !== undefined &&
      single.rate === undefined &&
      single.users === undefined &&
      single.iterations === undefined
    ) {
      report('duration', 'a duration needs "users" or a "rate"')
    }
    if (single.users !== undefined && single.duration === undefined && single.iterations === undefined) {
      report('users', '"users" needs a "duration" or a number of "iterations"')
    }
  })
export type Single = z.infer<typeof Single>

function profileOf(single: Single): Injection[] {
  if (single.inject !== undefined) return single.inject
  const { users = 1, rate, duration, iterations } = single
  if (iterations !== undefined) return [{ type: 'iterations', iterations, users, maxDuration: duration }]
  if (duration === undefined) return []
  if (rate !== undefined) return [{ type: 'constantUsersPerSec', rate, duration }]
  return [{ type: 'constantConcurrentUsers', users, duration }]
}

const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T

/** The simulation that a single-endpoint request stands for. */
export function simulationOfSingle(single: Single): Simulation {
  const { url, method = 'GET', headers, body, assert, feed, loop, maxDuration, throttle, thresholds } = single
  const name = single.name ?? (url.startsWith('{{') ? method : `${method} ${pathOf(url)}`)
  return defined({
    description: `${method} ${url}`,
    throttle,
    thresholds,
    scenarios: [
      defined({
        name: 'single',
        inject: profileOf(single),
        loop,
        maxDuration,
        feed,
        steps: [defined({ type: 'http' as const, name, method, url, headers, body, assert })],
      }),
    ],
  })
}

function pathOf(url: string): string {
  const path = /^https?:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1]
  return (path === undefined || path === '' ? '/' : path).slice(0, 150)
}

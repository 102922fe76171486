import { OnrushError } from '@onrush/protocol/error'
import type { MiddlewareHandler } from 'hono'
import type { AuthVariables } from './authenticate.ts'
import { RateLimit } from './rate-limit.ts'

/** A program that starts runs in a loop fills the queue before anybody notices. Nodes of the fleet are not limited. */
export function startLimit(
  starts: (method: string, path: string) => boolean,
  perMinute: number,
  now: () => number,
): MiddlewareHandler<{ Variables: AuthVariables }> {
  const limit = new RateLimit({ burst: Math.max(1, Math.ceil(perMinute / 6)), perSecond: perMinute / 60 }, now)
  return async (c, next) => {
    const { name, role } = c.get('identity')
    if (role !== 'node' && starts(c.req.method, c.req.path) && !limit.take(name)) {
      const seconds = limit.waitFor(name)
      c.header('retry-after', String(seconds))
      throw new OnrushError(
        'too_many',
        `too many starts by ${name}: wait ${seconds} s, or raise ONRUSH_STARTS_PER_MINUTE (${perMinute})`,
      )
    }
    await next()
  }
}

import { OnrushError } from '@onrush/protocol/error'
import type { MiddlewareHandler } from 'hono'

/**
 * A GET that starts or stops something is not safe, so its HEAD must not run it: a link checker or a monitor would start
 * load tests. Hono answers HEAD with GET's handler unless told otherwise.
 */
export function noHead(actingGets: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === 'HEAD' && actingGets.includes(c.req.path)) {
      c.header('allow', 'GET')
      throw new OnrushError('method_not_allowed', `${c.req.path} does something: expected GET, got HEAD`)
    }
    await next()
  }
}

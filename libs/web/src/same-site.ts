import { OnrushError } from '@onrush/protocol/error'
import type { MiddlewareHandler } from 'hono'

/**
 * Keeps other sites' pages from steering us through their visitor's browser. Programs send none of these headers; a
 * browser says where a request comes from, and a speculative one that it is. `sec-fetch-site` is the browser's own word
 * for it; over plain HTTP it is not sent, and the origin stands for it.
 */
export function sameSite(changesState: (method: string, path: string) => boolean): MiddlewareHandler {
  return async (c, next) => {
    // A page of another site may open a websocket and read it, so these are guarded like what acts.
    if (c.req.header('upgrade') !== undefined || changesState(c.req.method, c.req.path)) {
      const site = c.req.header('sec-fetch-site')
      const purpose = `${c.req.header('sec-purpose') ?? ''} ${c.req.header('purpose') ?? ''} ${c.req.header('x-moz') ?? ''}`
      const origin = c.req.header('origin')
      if (
        site === undefined
          ? origin !== undefined && !sameOrigin(origin, c.req.header('host'))
          : site !== 'same-origin' && site !== 'none'
      ) {
        throw new OnrushError('cross_site_refused', 'a page of another site may not start or stop anything here')
      }
      if (/prefetch|prerender|preview/i.test(purpose)) {
        throw new OnrushError('cross_site_refused', 'a prefetch may not start or stop anything')
      }
    }
    await next()
  }
}

function sameOrigin(origin: string, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host
}

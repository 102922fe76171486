import type { MiddlewareHandler } from 'hono'

/** For our own pages: nothing from outside, no script but our files and those whose hash is named. */
export function contentPolicy(scriptHashes: readonly string[] = []): string {
  const scripts = ["'self'", ...scriptHashes.map(hash => `'${hash}'`)].join(' ')
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    // uPlot and the charts set positions by style attributes, which carry no script.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** The queue dashboard's pages bring inline scripts of their own; they may run there and nowhere else. */
export const queuePolicy = contentPolicy()
  .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
  .replace("base-uri 'none'", "base-uri 'self'")
  .replace("frame-ancestors 'none'", "frame-ancestors 'self'")

export function securityHeaders(policyOf: (path: string) => string): MiddlewareHandler {
  return async (c, next) => {
    await next()
    // A websocket's answer is no longer ours to change.
    if (c.res.status === 101 || c.req.header('upgrade') !== undefined) return
    // A page that carries scripts of its own has set a policy that names them.
    const policy = c.res.headers.get('content-security-policy') ?? policyOf(c.req.path)
    c.res.headers.set('content-security-policy', policy)
    c.res.headers.set('x-frame-options', policy.includes("frame-ancestors 'self'") ? 'SAMEORIGIN' : 'DENY')
    c.res.headers.set('x-content-type-options', 'nosniff')
    // With no referrer at all a form's origin would be "null", which is also what another site's sandbox sends.
    c.res.headers.set('referrer-policy', 'same-origin')
    c.res.headers.set('cross-origin-opener-policy', 'same-origin')
    c.res.headers.set('cross-origin-resource-policy', 'same-origin')
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
  }
}

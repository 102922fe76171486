import { OnrushError } from '@onrush/protocol/error'
import { wholeNumber } from '../query.ts'
import type { Route } from '../route.ts'

/** 304, 305 and 306 lie between them and lead nowhere. */
const followed = new Set([301, 302, 303, 307, 308])

/** What a browser would act on by itself. */
export const navigationRoutes: readonly Route[] = [
  {
    template: '/redirect',
    handlers: {
      '*': exchange => {
        const n = wholeNumber(exchange.query, 'n', { least: 0, most: 1000 }, 1)
        const status = wholeNumber(exchange.query, 'status', { least: 301, most: 308 }, 302)
        if (!followed.has(status))
          throw new OnrushError('malformed', `?status: expected ${[...followed].join(', ')}, got ${status}`)
        if (n === 0) return exchange.json(200, { redirected: true, method: exchange.req.method })
        const kept = exchange.query.has('status') ? `&status=${status}` : ''
        exchange.json(status, { left: n - 1 }, ['location', `/redirect?n=${n - 1}${kept}`])
      },
    },
  },
  {
    template: '/set-cookie',
    handlers: {
      GET: exchange => {
        exchange.json(200, { cookies: cookiesOf(exchange.req.headers.cookie ?? '') }, [
          'set-cookie',
          'session=s-1; Path=/; HttpOnly',
          'set-cookie',
          'theme=dark; Path=/; Max-Age=3600',
        ])
      },
    },
  },
]

/** What the client sent back, by name. */
function cookiesOf(header: string): Record<string, string> {
  const cookies: Record<string, string> = {}
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0) cookies[pair.slice(0, equals).trim()] = pair.slice(equals + 1).trim()
  }
  return cookies
}

import { type Context, Hono } from 'hono'
import type { AuditLog } from './audit.ts'
import { auditTrail } from './audit-trail.ts'
import { type AuthVariables, authenticate } from './authenticate.ts'
import { bodyRest } from './body-rest.ts'
import { hostCheck } from './host-check.ts'
import type { Log } from './log.ts'
import { loginApi, loginPath, loginRoutes, logoutApi, sessionApi, ticketApi } from './login-routes.ts'
import { noHead } from './method-guard.ts'
import { problems, toOnrushError } from './problems.ts'
import { sameSite } from './same-site.ts'
import { contentPolicy, securityHeaders } from './security-headers.ts'
import { Sessions } from './sessions.ts'
import { startLimit } from './start-limit.ts'
import { Tickets } from './tickets.ts'
import type { Role, Tokens } from './tokens.ts'

export interface Guard {
  readonly tokens: Tokens
  /** Signs logins and tickets. The fleet's own secret, so that a login with one node is one with all. */
  readonly key: string
  /** Names by which we may be called. */
  readonly hosts: readonly string[]
  readonly openMetrics: boolean
  readonly startsPerMinute: number
  readonly audit: AuditLog
  readonly log: Log
}

export interface GuardedRoutes {
  /** GETs that start or stop something. */
  readonly actingGets: readonly string[]
  /** What begins work, as `POST /api/single`: limited by how often one may. */
  readonly starts: readonly string[]
  /** Files that hold no data: a page's scripts and styles. */
  readonly isPublic?: (path: string) => boolean
  /** The policy of a page that needs another one than ours. */
  readonly policyOf?: (path: string) => string | undefined
}

const reading = ['GET', 'HEAD', 'OPTIONS']
const forAnyone = [
  'GET /healthz',
  'HEAD /healthz',
  `GET ${loginPath}`,
  `POST ${loginPath}`,
  `POST ${loginApi}`,
  `POST ${logoutApi}`,
]
/** POSTs by which nothing of the fleet changes; their routes write down what has to be. */
const ofTheDoor = [loginApi, logoutApi, ticketApi, loginPath, sessionApi]

/**
 * An app whose every route, whenever it is added, stands behind all guards: the host's name, the page that asks, who asks
 * and whether that suffices, how often, and the audit log. The routes of logging in are already there.
 */
export function guardedApp(guard: Guard, routes: GuardedRoutes): Hono<{ Variables: AuthVariables }> {
  const now = () => Date.now()
  const { tokens, audit, log } = guard
  const sessions = new Sessions(guard.key, tokens, now)
  const tickets = new Tickets(guard.key, tokens, now)
  const changes = (method: string, path: string) => routes.actingGets.includes(path) || !reading.includes(method)
  const acts = (method: string, path: string) => changes(method, path) && !ofTheDoor.includes(path)
  const needed = (method: string, path: string): Role | 'anyone' => {
    if (forAnyone.includes(`${method} ${path}`)) return 'anyone'
    if (reading.includes(method) && (routes.isPublic?.(path) === true || (path === '/metrics' && guard.openMetrics)))
      return 'anyone'
    return acts(method, path) ? 'operator' : 'viewer'
  }
  const { onError, notFound } = problems(log)
  const policy = contentPolicy()

  const app = new Hono<{ Variables: AuthVariables }>()
  app.onError((error, c) => {
    // Somebody with a browser is asked to log in; everything else reads our problem.
    if (toOnrushError(error).code !== 'unauthorized' || !isPage(c)) return onError(error, c)
    const { pathname, search } = new URL(c.req.url)
    return c.redirect(`${loginPath}?to=${encodeURIComponent(pathname + search)}`, 302)
  })
  app.notFound(notFound)
  app.use(bodyRest)
  app.use(securityHeaders(path => routes.policyOf?.(path) ?? policy))
  app.use(hostCheck(guard.hosts))
  app.use(auditTrail(audit, acts, now))
  app.use(noHead(routes.actingGets))
  app.use(sameSite(changes))
  app.use(authenticate(tokens, { needed, acts: changes, sessions, tickets }))
  app.use(startLimit((method, path) => routes.starts.includes(`${method} ${path}`), guard.startsPerMinute, now))
  app.route('/', loginRoutes({ sessions, tickets, audit, now }))
  return app
}

const isPage = (c: Context): boolean =>
  c.req.method === 'GET' &&
  /\btext\/html\b/.test(c.req.header('accept') ?? '') &&
  c.req.header('authorization') === undefined &&
  c.req.header('upgrade') === undefined

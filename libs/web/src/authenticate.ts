import { OnrushError } from '@onrush/protocol/error'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { cookieName, type Sessions } from './sessions.ts'
import type { Tickets } from './tickets.ts'
import { mayActAs, type Role, type TokenHolder, type Tokens } from './tokens.ts'

/** Who asks, and how we know. `nobody`: no token is set here, so everybody is an operator, on loopback. */
export interface Identity extends TokenHolder {
  readonly via: 'bearer' | 'cookie' | 'ticket' | 'nobody'
}

export interface AuthVariables {
  role: Role
  identity: Identity
}

export interface AuthRules {
  /** The role that a route needs. */
  readonly needed: (method: string, path: string) => Role | 'anyone'
  /** Whether a route changes something: a cookie never does so by GET, because a link is a GET. */
  readonly acts?: (method: string, path: string) => boolean
  readonly sessions?: Sessions
  readonly tickets?: Tickets
}

const bearerOf = (header: string | undefined): string | undefined => /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1]

function identityOf(c: Context, tokens: Tokens, { acts, sessions, tickets }: AuthRules): Identity | undefined {
  const bearer = bearerOf(c.req.header('authorization'))
  if (bearer !== undefined) {
    const holder = tokens.holderOf(bearer)
    if (holder !== undefined) return { ...holder, via: 'bearer' }
  } else if (!(c.req.method === 'GET' && acts?.('GET', c.req.path) === true)) {
    // What stands in a link, or comes along with it, never makes a GET start or stop something.
    const ticket = c.req.query('ticket')
    if (tickets !== undefined && ticket !== undefined && c.req.header('upgrade') !== undefined) {
      const holder = tickets.take(ticket)
      if (holder !== undefined) return { ...holder, via: 'ticket' }
    } else if (sessions !== undefined) {
      const holder = sessions.holderOf(getCookie(c, cookieName) ?? '')
      if (holder !== undefined) return { ...holder, via: 'cookie' }
    }
  }
  return tokens.required ? undefined : { name: 'nobody', role: 'operator', via: 'nobody' }
}

/** Finds out who asks, and whether that suffices. */
export function authenticate(tokens: Tokens, rules: AuthRules): MiddlewareHandler<{ Variables: AuthVariables }> {
  return async (c, next) => {
    const wanted = rules.needed(c.req.method, c.req.path)
    const identity = identityOf(c, tokens, rules)
    const known = identity ?? { name: 'nobody', role: 'viewer', via: 'nobody' }
    c.set('identity', known)
    c.set('role', known.role)
    if (wanted !== 'anyone') {
      if (identity === undefined) {
        const shown = c.req.header('authorization') !== undefined
        throw new OnrushError(
          'unauthorized',
          shown
            ? 'this token is not known here, or has expired: check ONRUSH_TOKEN on both sides'
            : 'expected a header "Authorization: Bearer <token>", or a login',
        )
      }
      if (!mayActAs(identity.role, wanted)) {
        throw new OnrushError('forbidden', `this needs the role ${wanted}; ${identity.name} is a ${identity.role}`)
      }
    }
    await next()
  }
}

import { check, faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import { LoginRequest, type SessionAnswer, type TicketAnswer } from '@onrush/protocol/login'
import { type Context, Hono } from 'hono'
import type { AuditLog } from './audit.ts'
import type { AuthVariables } from './authenticate.ts'
import { clientAddress } from './client-address.ts'
import { jsonBody, textBody } from './json-body.ts'
import { localPath } from './local-path.ts'
import { loginPage } from './login-page.ts'
import { RateLimit } from './rate-limit.ts'
import type { Sessions } from './sessions.ts'
import type { Tickets } from './tickets.ts'

export interface LoginNeeds {
  readonly sessions: Sessions
  readonly tickets: Tickets
  readonly audit: AuditLog
  readonly now: () => number
}

export const loginPath = '/login'
export const loginApi = '/api/login'
export const logoutApi = '/api/logout'
export const ticketApi = '/api/ticket'
export const sessionApi = '/api/session'

const mostBody = limits.loginBody.value
/** From one place, and from everywhere together: a thousand hosts must not guess a thousand times as fast. */
const perAddress = { burst: 5, perSecond: limits.failedLogins.value / 60 }
const together = { burst: 100, perSecond: 2 }

const isSecure = (c: Context): boolean =>
  c.req.url.startsWith('https:') || c.req.header('x-forwarded-proto') === 'https'

/** Logging in and out, who one is, and tickets for websockets. */
export function loginRoutes({ sessions, tickets, audit, now }: LoginNeeds): Hono<{ Variables: AuthVariables }> {
  const one = new RateLimit(perAddress, now)
  const all = new RateLimit(together, now)

  async function open(c: Context, token: string) {
    const from = clientAddress(c)
    if (!one.take(from) || !all.take('')) {
      const seconds = Math.max(one.waitFor(from), all.waitFor(''))
      c.header('retry-after', String(seconds))
      throw new OnrushError('too_many', `too many logins were tried: wait ${seconds} s`)
    }
    const opened = sessions.open(token, isSecure(c))
    if (opened !== undefined)
      for (const [limit, key] of [
        [one, from],
        [all, ''],
      ] as const)
        limit.giveBack(key)
    const entry = { who: opened?.holder.name ?? 'nobody', from, action: 'login' }
    await audit.write({ ...entry, outcome: opened === undefined ? 'refused' : 'done' })
    if (opened === undefined) throw new OnrushError('unauthorized', 'this token is not known here, or has expired')
    c.header('set-cookie', opened.cookie)
    return opened.holder
  }

  return new Hono<{ Variables: AuthVariables }>()
    .post(loginApi, async c => {
      const { token } = (await jsonBody(c, LoginRequest, mostBody)).value
      const { name, role } = await open(c, token)
      const answer: SessionAnswer = { name, role, via: 'cookie' }
      return c.json(answer)
    })
    .post(logoutApi, c => {
      c.header('set-cookie', sessions.close(isSecure(c)))
      return c.body(null, 204)
    })
    .get(sessionApi, c => {
      const { name, role, via } = c.get('identity')
      const answer: SessionAnswer = { name, role, via }
      return c.json(answer)
    })
    .post(ticketApi, c => {
      const { name, role } = c.get('identity')
      const answer: TicketAnswer = tickets.issue({ name, role })
      return c.json(answer)
    })
    .get(loginPath, c => c.html(loginPage(localPath(c.req.query('to')))))
    .post(loginPath, async c => {
      const form = new URLSearchParams(await textBody(c, mostBody))
      const to = localPath(form.get('to') ?? undefined)
      const checked = check(LoginRequest, { token: form.get('token') ?? '' })
      try {
        if (!checked.ok) throw new OnrushError('invalid', faultsInWords('the form', checked.faults))
        await open(c, checked.value.token)
      } catch (error) {
        if (!(error instanceof OnrushError)) throw error
        return c.html(loginPage(to, error.message), error.code === 'too_many' ? 429 : 401)
      }
      return c.redirect(to, 303)
    })
}

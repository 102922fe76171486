import { createHmac } from 'node:crypto'
import { OnrushError } from '@onrush/protocol/error'
import type { Exchange } from './exchange.ts'

/** Not a secret: anyone may log in here. It only makes a token of one user differ from that of another. */
const key = 'onrush demo target'

const sign = (user: string) => createHmac('sha256', key).update(user).digest('base64url').slice(0, 22)

/** The same for the same user on every target and at any time, so that recorded traffic can be played again. */
export const tokenOf = (user: string) => `${Buffer.from(user).toString('base64url')}.${sign(user)}`

/** The user who holds the request's token. */
export function authorized({ req }: Exchange): string {
  const token = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
  if (token !== undefined) {
    const user = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8')
    if (token === tokenOf(user)) return user
  }
  throw new OnrushError(
    'unauthorized',
    `authorization: expected "Bearer <token>" with a token from POST /login, got ${req.headers.authorization === undefined ? 'none' : 'another'}`,
  )
}

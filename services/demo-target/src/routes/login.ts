import { OnrushError } from '@onrush/protocol/error'
import type { Fault } from '@onrush/protocol/problem'
import { readFields } from '../body.ts'
import type { Route } from '../route.ts'
import { tokenOf } from '../token.ts'

export const loginRoutes: readonly Route[] = [
  {
    template: '/login',
    handlers: {
      POST: async exchange => {
        const { user, password } = await readFields(exchange)
        const errors: Fault[] = []
        if (typeof user !== 'string' || user === '')
          errors.push({ path: '$.user', message: 'expected a name; any will do' })
        if (typeof password !== 'string') errors.push({ path: '$.password', message: 'expected a string' })
        if (typeof user !== 'string' || errors.length > 0)
          throw new OnrushError('invalid', 'expected {"user": "…", "password": "secret"}', { errors })
        if (password !== 'secret') throw new OnrushError('unauthorized', 'wrong password; it is "secret" for everyone')
        exchange.json(200, { user, token: tokenOf(user) })
      },
    },
  },
]

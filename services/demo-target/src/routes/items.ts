import { OnrushError } from '@onrush/protocol/error'
import { itemCount, itemOf, pageCount, pageOf } from '../catalog.ts'
import { parseWhole, wholeNumber } from '../query.ts'
import type { Route } from '../route.ts'
import { authorized } from '../token.ts'

const any = { least: 0, most: Number.MAX_SAFE_INTEGER }

export const itemRoutes: readonly Route[] = [
  {
    template: '/items',
    handlers: {
      GET: exchange => {
        const page = wholeNumber(exchange.query, 'page', { least: 1, most: pageCount }, 1)
        exchange.json(200, { page, pages: pageCount, total: itemCount, items: pageOf(page) })
      },
    },
  },
  {
    template: '/items/:id',
    handlers: {
      GET: exchange => {
        authorized(exchange)
        const id = parseWhole(exchange.param, '/items/:id', any)
        if (id < 1 || id > itemCount)
          throw new OnrushError('not_found', `/items/:id: expected 1 to ${itemCount}, got ${id}`)
        exchange.json(200, itemOf(id))
      },
    },
  },
]

import { OnrushError } from '@onrush/protocol/error'
import type { Fault } from '@onrush/protocol/problem'
import { readFields } from '../body.ts'
import { itemCount, itemOf } from '../catalog.ts'
import type { Route } from '../route.ts'
import type { Sequences } from '../sequences.ts'
import { authorized } from '../token.ts'

const mostOfOne = 100

const isWhole = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most

export const orderRoutes = (sequences: Sequences): readonly Route[] => [
  {
    template: '/orders',
    handlers: {
      POST: async exchange => {
        const user = authorized(exchange)
        const { item, quantity = 1 } = await readFields(exchange)
        if (!isWhole(item, itemCount) || !isWhole(quantity, mostOfOne)) {
          const errors: Fault[] = []
          if (!isWhole(item, itemCount)) errors.push(fault('$.item', itemCount, item))
          if (!isWhole(quantity, mostOfOne)) errors.push(fault('$.quantity', mostOfOne, quantity))
          throw new OnrushError('invalid', 'expected {"item": 1, "quantity": 1}', { errors })
        }
        const total = Math.round(itemOf(item).price * quantity * 100) / 100
        exchange.json(201, { id: `order-${sequences.nextOrder()}`, user, item, quantity, total })
      },
    },
  },
]

function fault(path: string, most: number, got: unknown): Fault {
  return { path, message: `expected a whole number from 1 to ${most}, got ${JSON.stringify(got) ?? 'nothing'}` }
}

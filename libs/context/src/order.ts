import type { Template } from './template.ts'
import type { Test } from './test.ts'

type Order = '$gt' | '$gte' | '$lt' | '$lte'

/** Numbers with numbers, texts with texts (so ISO dates too); anything else has no order and fails. */
export function ordered(order: Order, expected: Template<unknown>): Test {
  const { constant } = expected
  if (typeof constant === 'number') return numberOrder(order, constant)
  return (actual, context) => {
    const limit = expected.render(context)
    if (typeof actual === 'number') return typeof limit === 'number' && holds(order, actual, limit)
    return typeof actual === 'string' && typeof limit === 'string' && holds(order, actual, limit)
  }
}

/** A limit written in the script, which most are, is compared with at once. */
function numberOrder(order: Order, limit: number): Test {
  switch (order) {
    case '$gt':
      return actual => typeof actual === 'number' && actual > limit
    case '$gte':
      return actual => typeof actual === 'number' && actual >= limit
    case '$lt':
      return actual => typeof actual === 'number' && actual < limit
    case '$lte':
      return actual => typeof actual === 'number' && actual <= limit
    default:
      return order satisfies never
  }
}

function holds<T extends number | string>(order: Order, a: T, b: T): boolean {
  switch (order) {
    case '$gt':
      return a > b
    case '$gte':
      return a >= b
    case '$lt':
      return a < b
    case '$lte':
      return a <= b
    default:
      return order satisfies never
  }
}

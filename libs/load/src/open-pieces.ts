import type { OpenInjection } from '@onrush/protocol/injection'
import { bell } from './bell.ts'
import { decimal, zero } from './decimal.ts'
import { even, linear } from './linear.ts'
import { nanosOf } from './nanos.ts'
import type { Piece } from './piece.ts'
import { stairsOf } from './stairs.ts'

/** What each step of an open profile means in arithmetic. */
export function* openPieces(inject: readonly OpenInjection[]): Generator<Piece> {
  for (const step of inject) yield* piecesOf(step)
}

function* piecesOf(step: OpenInjection): Generator<Piece> {
  switch (step.type) {
    case 'nothingFor':
      yield linear(zero, zero, nanosOf(step.duration))
      return
    case 'atOnceUsers':
      yield even(step.users, 0)
      return
    case 'rampUsers':
      yield even(step.users, nanosOf(step.duration))
      return
    case 'constantUsersPerSec':
      yield linear(decimal(step.rate), decimal(step.rate), nanosOf(step.duration))
      return
    case 'rampUsersPerSec':
      yield linear(decimal(step.from), decimal(step.to), nanosOf(step.duration))
      return
    case 'heavisideUsers': {
      const nanos = nanosOf(step.duration)
      // Without users or without time there is no curve to follow.
      yield step.users === 0 || nanos === 0 ? even(step.users, nanos) : bell(step.users, nanos)
      return
    }
    case 'incrementUsersPerSec':
      for (const stair of stairsOf(step)) yield linear(stair.from, stair.to, stair.nanos)
      return
    default:
      step satisfies never
  }
}

import type { Holding } from '@onrush/load/holding'
import type { Share } from '@onrush/load/share'

/** What was owned up to number `after`, then `share`. Spans are shortened and added only, so cursors keep their place. */
export function holdingFrom(before: Holding, share: Share, after: number): Holding {
  const ended = before.map(span => ({ ...span, upTo: Math.min(span.upTo ?? Number.POSITIVE_INFINITY, after) }))
  return [...ended, { share, after }]
}

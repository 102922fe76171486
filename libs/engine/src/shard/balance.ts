import { checkBooks } from '@onrush/metrics/books'
import type { Counts } from '@onrush/protocol/frame'
import type { PopulationBooks } from '@onrush/protocol/plan'
import type { PlannedArrivals } from './planned-arrivals.ts'

const nobody = { started: 0, finished: 0, interrupted: 0, dropped: 0, cancelled: 0 }

/**
 * What came of everything that was planned. Arrivals that no thread accounts for are missed where a thread died; where
 * none did they are a defect, and said to be one.
 */
export function balance(
  planned: PlannedArrivals,
  counted: Counts['populations'],
  threadsDied: boolean,
): { books: PopulationBooks[]; imbalances: string[] } {
  const books = planned.names.map(population => {
    const { started, finished, interrupted, dropped, cancelled } =
      counted.find(each => each.population === population) ?? nobody
    const accounted = started + dropped + cancelled
    const wanted = planned.of(population) ?? accounted
    const missed = threadsDied ? Math.max(0, wanted - accounted) : 0
    return { population, planned: wanted, started, dropped, cancelled, missed, finished, interrupted }
  })
  const imbalances = books.flatMap(book => checkBooks(book).map(fault => `${book.population}: ${fault}`))
  return { books, imbalances }
}

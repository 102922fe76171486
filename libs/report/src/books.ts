import type { JobTotals } from '@onrush/protocol/job'
import type { PopulationBooks } from '@onrush/protocol/plan'
import type { Summary } from '@onrush/protocol/summary'

const entries = ['planned', 'started', 'dropped', 'cancelled', 'missed', 'finished', 'interrupted'] as const

/** The books of all workers, population by population. */
export function sumBooks(books: readonly PopulationBooks[]): PopulationBooks[] {
  const sums = new Map<string, PopulationBooks>()
  for (const book of books) {
    const sum = sums.get(book.population)
    if (sum === undefined) sums.set(book.population, { ...book })
    else for (const entry of entries) sum[entry] += book[entry]
  }
  return [...sums.values()]
}

/** What became of the whole run's sessions and requests. A run that was cut off has no books: then what was counted speaks. */
export function totalsOf({ whole, sessions }: Summary, books: readonly PopulationBooks[]): JobTotals {
  const sum = (entry: (typeof entries)[number]) => books.reduce((total, book) => total + book[entry], 0)
  const requests = { requests: whole.count, failed: whole.ko }
  if (books.length === 0) {
    const { started, finished, interrupted, dropped, cancelled } = sessions
    const active = Math.max(0, sessions.active)
    const seen = started + dropped + cancelled
    return { planned: seen, started, finished, interrupted, dropped, cancelled, missed: 0, active, ...requests }
  }
  const started = sum('started')
  const finished = sum('finished')
  const interrupted = sum('interrupted')
  return {
    planned: sum('planned'),
    started,
    finished,
    interrupted,
    dropped: sum('dropped'),
    cancelled: sum('cancelled'),
    missed: sum('missed'),
    active: Math.max(0, started - finished - interrupted),
    ...requests,
  }
}

/** How many sessions went each way. What came of every planned arrival has to add up, or something was lost. */
export interface Books {
  readonly planned: number
  readonly started: number
  readonly dropped: number
  readonly cancelled: number
  readonly missed: number
  readonly finished: number
  readonly interrupted: number
  /** Sessions still running; none at the end of a run. */
  readonly active?: number
}

/** Which book does not balance, in words; nothing when both do. A loop or a closed profile plans no arrivals: leave the plan out. */
export function checkBooks(books: Omit<Books, 'planned'> & { planned?: number }): string[] {
  const { planned, started, dropped, cancelled, missed, finished, interrupted, active = 0 } = books
  const faults: string[] = []
  const accounted = started + dropped + cancelled + missed
  if (planned !== undefined && planned !== accounted) {
    faults.push(
      `planned ${planned} arrivals, but started ${started} + dropped ${dropped} + cancelled ${cancelled} + missed ${missed} = ${accounted}: ${difference(planned - accounted)}`,
    )
  }
  const ended = finished + interrupted + active
  if (started !== ended) {
    const running = active === 0 ? '' : ` + active ${active}`
    faults.push(
      `started ${started} sessions, but finished ${finished} + interrupted ${interrupted}${running} = ${ended}: ${difference(started - ended)}`,
    )
  }
  return faults
}

function difference(by: number): string {
  return by > 0 ? `${by} unaccounted for` : `${-by} too many`
}

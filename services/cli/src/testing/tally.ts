export interface Skip {
  readonly test: string
  readonly reason: string
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly Skip[]
}

export function sum(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, tally) => total + tally.passed, 0),
    failed: tallies.reduce((total, tally) => total + tally.failed, 0),
    skipped: tallies.flatMap(tally => tally.skipped),
  }
}

/** The last line of a test run; scripts read it. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`
}

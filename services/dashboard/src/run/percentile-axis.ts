/** On an axis of percentiles each step to the right leaves a tenth: 90, 99, 99.9 … lie equally far apart. */
export const nines = (percentile: number): number => -Math.log10(1 - percentile / 100)

const marks = [0, 50, 75, 90, 99, 99.9, 99.99, 99.999] as const

/** The axis over what was measured: 100 stands where the last nine would, for it has no place on a logarithmic axis. */
export function percentileAxis(percentiles: readonly number[]): {
  end: number
  xOf(percentile: number): number
  marks: number[]
} {
  const measured = percentiles.filter(percentile => percentile < 100)
  const last = Math.max(1, ...measured.map(nines))
  const end = last * 1.04 + 0.05
  return {
    end,
    xOf: percentile => (percentile >= 100 ? 1 : nines(percentile) / end),
    marks: marks.filter(mark => nines(mark) <= last + 0.001),
  }
}

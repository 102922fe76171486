/** Fewer samples than this say nothing about how much they spread. */
const fewest = 5
const batches = 10
/** Standard errors: several metrics are compared at once, so two would cry wolf too often. */
const certain = 3

/** Neighbouring seconds resemble each other, so of a long run the means of stretches are its independent samples. */
function samplesOf(values: readonly number[]): readonly number[] {
  if (values.length < 2 * batches) return values
  const size = Math.floor(values.length / batches)
  return Array.from({ length: batches }, (_, i) =>
    mean(values.slice(i * size, i === batches - 1 ? undefined : (i + 1) * size)),
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The variance of the mean. */
function uncertainty(values: readonly number[]): number {
  const middle = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  return squares / (values.length - 1) / values.length
}

/**
 * Whether two runs differ by more than they vary within themselves: the difference against its standard error, from
 * what each second measured. Nothing when either is too short to tell.
 */
export function beyondNoise(difference: number, a: readonly number[], b: readonly number[]): boolean | undefined {
  const [one, other] = [samplesOf(a), samplesOf(b)]
  if (one.length < fewest || other.length < fewest) return undefined
  return Math.abs(difference) > certain * Math.sqrt(uncertainty(one) + uncertainty(other))
}

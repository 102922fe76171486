import type { RunStep } from './run-step.ts'

/** Picks by weight, with the session's own random number. */
export function weighted<T>(weights: readonly number[], items: readonly T[]): (draw: number) => T | undefined {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  const edges = weights.map(weight => {
    sum += weight
    return sum / total
  })
  // The last edge may be a rounding below 1, hence the fallback.
  return draw => items[edges.findIndex(edge => draw < edge)] ?? items.at(-1)
}

export function choice(weights: readonly number[], branches: readonly RunStep[]): RunStep {
  const pick = weighted(weights, branches)
  return session => pick(session.context.random.float())?.(session)
}

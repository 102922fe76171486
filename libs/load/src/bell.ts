import { decimal } from './decimal.ts'
import { erfc, erfcInverse } from './erfc.ts'
import type { Piece } from './piece.ts'

/**
 * A smooth surge: few, many, few. The cumulative function is Gatling's, the bell curve's integral stretched so that it
 * runs from 0 to `users` within the time: `F(t) = (users + 2)·(1 + erf z)/2 − 1`, z going evenly from −z₀ to z₀, where
 * z₀ = erf⁻¹(1 − 2/(users + 2)). User n comes when F reaches n, which is where Gatling puts user n + 1: there the first
 * comes at 0, here the last comes at the end, as with every other step.
 */
export function bell(users: number, nanos: number): Piece {
  const ms = nanos / 1e6
  const z0 = erfcInverse(2 / (users + 2))
  return {
    nanos,
    amount: decimal(users),
    timeOf(done, left) {
      const before = (done + 1) / (users + 2)
      const after = (left + 1) / (users + 2)
      const z = before < after ? -erfcInverse(2 * before) : erfcInverse(2 * after)
      return (ms * (z + z0)) / (2 * z0)
    },
    doneBy(t) {
      const z = (2 * z0 * t) / ms - z0
      return Math.min(users, Math.max(0, ((users + 2) * erfc(-z)) / 2 - 1))
    },
    peakBy(t) {
      const z = Math.min(0, (2 * z0 * t) / ms - z0)
      return (((users + 2) * 2 * z0) / Math.sqrt(Math.PI) / ms) * 1000 * Math.exp(-z * z)
    },
  }
}

import { type Decimal, decimal, plus, times, toNumber } from './decimal.ts'
import type { Piece } from './piece.ts'

/**
 * A rate that is constant or changes evenly. Arrivals up to time t (s) are `from·t + slope·t²/2`, whose inverse is
 * `(√(from² + 2·slope·n) − from) / slope`. Written as `2n / (from + √(from² + 2·slope·n))` it has no difference of near
 * equals and no division by the slope, so constant and rising rates are one formula. For a falling rate the term under
 * the root shrinks to nothing near the end; seen from the end, in reverse, it rises, and the same formula holds.
 */
export function linear(from: Decimal, to: Decimal, nanos: number): Piece {
  const [rising, low, high] = ascending(toNumber(from), toNumber(to))
  const ms = nanos / 1e6
  const slope = nanos === 0 ? 0 : ((high - low) / nanos) * 1e9
  const reach = (n: number): number => (n <= 0 ? 0 : (2000 * n) / (low + Math.sqrt(low * low + 2 * slope * n)))
  const within = (t: number): number => (t / 1000) * (low + (slope * t) / 2000)
  // (from + to) / 2 · nanos / 10⁹
  const doubled = times(plus(from, to), decimal(nanos))
  const amount: Decimal = { digits: doubled.digits * 5n, scale: doubled.scale + 10 }
  const total = toNumber(amount)
  return {
    nanos,
    amount,
    timeOf: rising ? done => reach(done) : (_, left) => ms - reach(left),
    doneBy: rising ? within : t => total - within(ms - t),
    peakBy: t => (nanos === 0 ? 0 : rising ? low + (slope * t) / 1000 : high),
  }
}

/** So many users evenly over the time: user n comes at n/users of it, the last one exactly at the end. */
export function even(users: number, nanos: number): Piece {
  const ms = nanos / 1e6
  return {
    nanos,
    amount: decimal(users),
    timeOf: done => (done * ms) / users,
    doneBy: t => (ms === 0 ? users : (users * t) / ms),
    peakBy: () => (nanos === 0 ? users : (users / nanos) * 1e9),
  }
}

/** A level that is held to the end of time. */
export function endless(rate: number): Piece {
  return {
    nanos: Number.POSITIVE_INFINITY,
    amount: undefined,
    timeOf: done => (done * 1000) / rate,
    doneBy: t => (rate * t) / 1000,
    peakBy: () => rate,
  }
}

function ascending(from: number, to: number): [rising: boolean, low: number, high: number] {
  return from <= to ? [true, from, to] : [false, to, from]
}

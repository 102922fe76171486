import { type Duration, durationMs } from '@onrush/protocol/duration'

/**
 * A duration in whole nanoseconds. "1.001s" is 1000.9999999999999 ms in doubles; a nanosecond is finer than any clock and
 * makes durations integers, which add up exactly.
 */
export function nanosOf(duration: Duration): number {
  return Math.round(durationMs(duration) * 1e6)
}

export function millisOf(nanos: number): number {
  return nanos / 1e6
}

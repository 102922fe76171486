import type { Redis } from './redis.ts'

/** Our monotonic clock, `performance.now()`; never the wall clock, which differs between hosts and jumps. */
export type Now = () => number

/** Where Redis's clock stands against ours. The truth lies within `error` ms of `offset`: half the shortest round trip. */
export interface ClockOffset {
  /** Redis's milliseconds minus ours. */
  readonly offset: number
  readonly error: number
}

/** Of several round trips the shortest says most: its answer was taken within half of it around its middle. */
export function offsetOf(trips: readonly { sent: number; received: number; redis: number }[]): ClockOffset {
  const shortest = trips.reduce((best, trip) => (trip.received - trip.sent < best.received - best.sent ? trip : best))
  return {
    offset: shortest.redis - (shortest.sent + shortest.received) / 2,
    error: (shortest.received - shortest.sent) / 2,
  }
}

export async function measureOffset(redis: Redis, now: Now, trips = 9): Promise<ClockOffset> {
  const measured: { sent: number; received: number; redis: number }[] = []
  for (let i = 0; i < trips; i++) {
    const sent = now()
    const [seconds, micros] = await redis.time()
    measured.push({ sent, received: now(), redis: Number(seconds) * 1000 + Number(micros) / 1000 })
  }
  return offsetOf(measured)
}

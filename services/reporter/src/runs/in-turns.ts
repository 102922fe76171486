import { setImmediate as nextTurn } from 'node:timers/promises'

/** A frame takes a millisecond or so to be added up: after so many everybody else has a turn, above all our heartbeat. */
const inOneTurn = 20

export async function inTurns<T>(items: Iterable<T>, each: (item: T) => void): Promise<void> {
  let done = 0
  for (const item of items) {
    each(item)
    if (++done % inOneTurn === 0) await nextTurn()
  }
}

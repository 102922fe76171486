import type { Frame } from '@onrush/protocol/frame'
import type { Failure } from '@onrush/protocol/report'

/** Each kind of failure of each step: how often, and from when to when. */
export class FailuresSeen {
  readonly #seen = new Map<string, Failure>()

  add(frame: Frame): void {
    for (const { scenario, step, errors = [] } of frame.counts.steps) {
      for (const [kind, count] of errors) {
        const key = JSON.stringify([scenario, step, kind])
        const known = this.#seen.get(key) ?? { scenario, step, kind, count: 0, firstAt: frame.from, lastAt: frame.to }
        this.#seen.set(key, {
          ...known,
          count: known.count + count,
          firstAt: Math.min(known.firstAt, frame.from),
          lastAt: Math.max(known.lastAt, frame.to),
        })
      }
    }
  }

  toList(): Failure[] {
    const byName = [...this.#seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, failure]) => failure)
    return byName.sort((a, b) => b.count - a.count)
  }
}

import type { FailureSample } from '@onrush/protocol/frame'

const perKind = 3
const mostKinds = 200

function before(a: FailureSample, b: FailureSample): number {
  if (a.at !== b.at) return a.at - b.at
  const one = JSON.stringify(a)
  const other = JSON.stringify(b)
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** The earliest few failures of each step and kind: which ones are kept does not depend on the order they came in. */
export class Samples {
  readonly #kept = new Map<string, FailureSample[]>()

  add(sample: FailureSample): void {
    const key = JSON.stringify([sample.scenario, sample.step, sample.kind])
    const kept = this.#kept.get(key)
    if (kept === undefined) {
      if (this.#kept.size < mostKinds) this.#kept.set(key, [sample])
      return
    }
    kept.push(sample)
    kept.sort(before)
    if (kept.length > perKind) kept.pop()
  }

  toList(): FailureSample[] {
    return [...this.#kept.values()].flat().sort(before)
  }

  clear(): void {
    this.#kept.clear()
  }
}

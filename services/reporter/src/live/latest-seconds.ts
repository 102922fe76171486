import { Series } from '@onrush/metrics/series'
import type { Frame } from '@onrush/protocol/frame'
import type { Point } from '@onrush/protocol/summary'

/** Seconds of which a late worker's frame may still come. */
const kept = 5
/** A frame that is longer is several, added up. */
const longMs = 1_500

export const isAddedUp = ({ from, to }: Frame): boolean => to - from > longMs

/** The last seconds of a run, each by itself: what a chart that is being watched needs. */
export class LatestSeconds {
  readonly #seconds = new Map<number, Series>()

  add(frame: Frame): void {
    const second = Math.floor((frame.from + frame.to) / 2_000)
    let series = this.#seconds.get(second)
    if (series === undefined) {
      series = new Series()
      this.#seconds.set(second, series)
      for (const old of this.#seconds.keys()) if (old < second - kept) this.#seconds.delete(old)
    }
    series.add(frame)
  }

  /** The second before the latest of which anything has come: by now all workers have told of it. */
  point(active: number): Point | undefined {
    const seconds = [...this.#seconds.keys()].sort((a, b) => b - a)
    const [point] = this.#seconds.get(seconds[1] ?? seconds[0] ?? -1)?.points(1) ?? []
    return point === undefined ? undefined : { ...point, active }
  }
}

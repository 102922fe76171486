import type { Frame } from '@onrush/protocol/frame'
import type { Point } from '@onrush/protocol/summary'
import { Coverage } from './coverage.ts'
import type { Histogram } from './histogram.ts'
import { toMs } from './latency.ts'
import { laidOut, SeriesSecond } from './series-second.ts'

const secondMs = 1000
/** Shards are at most some seconds apart; what is older comes again rarely enough to be unpacked then. */
const keptOpen = 8

function quantiles(histogram: Histogram): Point['duration'] {
  if (histogram.count === 0) return undefined
  const [p50 = 0, p90 = 0, p95 = 0, p99 = 0] = histogram.percentiles([50, 90, 95, 99]).map(toMs)
  return { p50, p90, p95, p99, max: toMs(histogram.max) }
}

/** A run's seconds, for charts. Takes the frames of all shards, in any order; one that comes again counts once. */
export class Series {
  readonly #seconds = new Map<number, SeriesSecond>()
  readonly #coverage = new Coverage()
  #open: SeriesSecond[] = []

  /** A frame that only partly is news cannot be charted, and answers `overlap`. */
  add(frame: Frame): 'merged' | 'duplicate' | 'overlap' {
    const compared = this.#coverage.compare(frame.covers)
    if (compared !== 'new') return compared === 'known' ? 'duplicate' : 'overlap'
    this.#coverage.add(frame.covers)
    // By its middle: takes come some milliseconds off the second, a folded frame begins where it begins.
    const long = frame.to - frame.from > 1.5 * secondMs
    const index = Math.floor((long ? frame.from + secondMs / 2 : (frame.from + frame.to) / 2) / secondMs)
    let second = this.#seconds.get(index)
    if (second === undefined) {
      second = new SeriesSecond()
      this.#seconds.set(index, second)
    }
    second.add(frame)
    this.#keepOpen(second)
    return 'merged'
  }

  #keepOpen(second: SeriesSecond): void {
    if (this.#open.at(-1) === second) return
    this.#open = [...this.#open.filter(each => each !== second), second]
    if (this.#open.length > keptOpen) this.#open.shift()?.rest()
  }

  /** All seconds, or neighbours joined until at most so many points are left; joining is exact. */
  points(atMost = Number.POSITIVE_INFINITY): Point[] {
    const indexes = [...this.#seconds.keys()].sort((a, b) => a - b)
    const first = indexes[0] ?? 0
    const count = (indexes.at(-1) ?? -1) - first + 1
    const width = Math.max(1, Math.ceil(count / Math.max(1, atMost)))
    const points: Point[] = []
    let active = 0
    for (let from = first; from < first + count; from += width) {
      const inside = indexes.filter(index => index >= from && index < from + width)
      if (inside.length === 0) continue
      const isLast = from + width >= first + count
      const point = this.#point(from, inside, width, isLast)
      active += point.active
      points.push({ ...point, active })
    }
    return points
  }

  /** Its `active` is the change within it. */
  #point(from: number, inside: readonly number[], width: number, isLast: boolean): Point {
    const sums = { ...new SeriesSecond().sums }
    const curves = laidOut()
    let to = 0
    for (const index of inside) {
      const second = this.#seconds.get(index)
      if (second === undefined) continue
      second.addCurvesTo(curves)
      to = Math.max(to, second.to)
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += second.sums[name]
    }
    const at = from * secondMs
    const covered = Math.max(1, to - at)
    const whole = width * secondMs
    // The last second is seldom whole, and a folded frame is longer than its point.
    const span = covered > whole * 1.5 || (isLast && covered < whole) ? covered : whole
    const { ended, ...counted } = sums
    return {
      at,
      span,
      ...counted,
      rate: (sums.requests * 1000) / span,
      duration: quantiles(curves.duration),
      service: quantiles(curves.service),
      active: sums.started - ended,
      ...(curves.sendLag.count === 0 ? {} : { sendLag: toMs(curves.sendLag.percentile(99)) }),
    }
  }
}

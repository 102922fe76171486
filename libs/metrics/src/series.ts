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

/** The seconds that become one point. */
interface Stretch {
  readonly at: number
  /** The latest end of a frame in it. */
  readonly to: number
  readonly inside: readonly number[]
}

/**
 * A run seldom ends on the second, and the rate of the few milliseconds left over would be a peak that never was: what is
 * shorter than half a point belongs to the point before.
 */
function withoutStub(stretches: readonly Stretch[], wide: number): readonly Stretch[] {
  const last = stretches.at(-1)
  const before = stretches.at(-2)
  if (last === undefined || before === undefined || !isStub(last, wide)) return stretches
  // Nothing was measured between them: joined, they would say that the load was low all that time.
  if (before.to < last.at - wide / 2) return stretches
  return [...stretches.slice(0, -2), { at: before.at, to: last.to, inside: [...before.inside, ...last.inside] }]
}

const isStub = ({ at, to }: Stretch, wide: number) => to - at < wide / 2

function spanOf(stretch: Stretch, wide: number, isLast: boolean, isOnly: boolean): number {
  const { at, to, inside } = stretch
  const covered = Math.max(1, to - at)
  // A folded frame is longer than its point, and so is what has taken in a stub.
  if (covered > wide * 1.5 || inside.some(index => index * secondMs >= at + wide)) return covered
  // The last second is seldom whole. A stub that stands by itself tells no rate, unless it is all that there is.
  return isLast && covered < wide && (isOnly || !isStub(stretch, wide)) ? covered : wide
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
    const stretches: Stretch[] = []
    for (let from = first; from < first + count; from += width) {
      const inside = indexes.filter(index => index >= from && index < from + width)
      if (inside.length > 0) stretches.push({ at: from * secondMs, inside, to: this.#endOf(inside) })
    }
    const wide = width * secondMs
    let active = 0
    return withoutStub(stretches, wide).map((stretch, i, all) => {
      const point = this.#point(stretch, spanOf(stretch, wide, i === all.length - 1, i === 0))
      active += point.active
      return { ...point, active }
    })
  }

  #endOf(inside: readonly number[]): number {
    return inside.reduce((to, index) => Math.max(to, this.#seconds.get(index)?.to ?? 0), 0)
  }

  /** Its `active` is the change within it. */
  #point({ at, inside }: Stretch, span: number): Point {
    const sums = { ...new SeriesSecond().sums }
    const curves = laidOut()
    for (const index of inside) {
      const second = this.#seconds.get(index)
      if (second === undefined) continue
      second.addCurvesTo(curves)
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += second.sums[name]
    }
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

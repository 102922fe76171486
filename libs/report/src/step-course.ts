import { Histogram } from '@onrush/metrics/histogram'
import { addEncoded, decodeHistogram, encodeHistogram } from '@onrush/metrics/histogram-wire'
import type { Frame, HistogramWire, StepWire } from '@onrush/protocol/frame'
import type { StepSeries } from '@onrush/protocol/report'

const secondMs = 1000
const mostPoints = 240
const mostSteps = 100

interface Point {
  requests: number
  failed: number
  /** As text between two additions: laid out, a hundred steps with 240 points each would take gigabytes. */
  duration: HistogramWire | undefined
}

interface Course {
  readonly scenario: string
  readonly step: string
  readonly points: Map<number, Point>
}

function addTo(point: Point, ...wires: readonly (HistogramWire | undefined)[]): number {
  const sum = point.duration === undefined ? new Histogram() : decodeHistogram(point.duration)
  const before = sum.count
  for (const wire of wires) if (wire !== undefined) addEncoded(sum, wire)
  if (sum.count > 0) point.duration = encodeHistogram(sum)
  return sum.count - before
}

/**
 * What each step did over time, bounded however long the run: when the points are used up, each two neighbours become
 * one, which is exact because histograms add.
 */
export class StepCourses {
  readonly #courses = new Map<string, Course>()
  #width = secondMs

  add(frame: Frame): void {
    const middle = (frame.from + frame.to) / 2
    while (middle >= this.#width * mostPoints) this.#halve()
    for (const wire of frame.counts.steps) this.#addStep(wire, Math.floor(middle / this.#width))
  }

  #addStep(wire: StepWire, index: number): void {
    const key = JSON.stringify([wire.scenario, wire.step])
    let course = this.#courses.get(key)
    if (course === undefined) {
      if (this.#courses.size >= mostSteps) return
      course = { scenario: wire.scenario, step: wire.step, points: new Map() }
      this.#courses.set(key, course)
    }
    let point = course.points.get(index)
    if (point === undefined) {
      point = { requests: 0, failed: 0, duration: undefined }
      course.points.set(index, point)
    }
    point.requests += addTo(point, wire.ok?.duration)
    const failed = addTo(point, wire.ko?.duration)
    point.requests += failed
    point.failed += failed
  }

  #halve(): void {
    this.#width *= 2
    for (const course of this.#courses.values()) {
      const before = [...course.points]
      course.points.clear()
      for (const [index, point] of before) {
        const half = index >> 1
        const there = course.points.get(half)
        if (there === undefined) course.points.set(half, point)
        else {
          addTo(there, point.duration)
          there.requests += point.requests
          there.failed += point.failed
        }
      }
    }
  }

  /** `last`: only so many of the newest points, and only of steps that have any there. */
  toSeries(last = mostPoints): StepSeries[] {
    const newest = Math.max(0, ...[...this.#courses.values()].flatMap(({ points }) => [...points.keys()]))
    return this.#seriesFrom(newest - last + 1).filter(({ at }) => at.length > 0)
  }

  #seriesFrom(first: number): StepSeries[] {
    return [...this.#courses.values()].map(({ scenario, step, points }) => {
      const sorted = [...points].filter(([index]) => index >= first).sort(([a], [b]) => a - b)
      return {
        scenario,
        step,
        at: sorted.map(([index]) => index * this.#width),
        span: this.#width,
        requests: sorted.map(([, { requests }]) => requests),
        failed: sorted.map(([, { failed }]) => failed),
        p95: sorted.map(([, { duration }]) =>
          duration === undefined ? null : Math.round(decodeHistogram(duration).percentile(95)) / 1000,
        ),
      }
    })
  }
}

import type { Frame, HistogramWire, OutcomeWire } from '@onrush/protocol/frame'
import { Histogram } from './histogram.ts'
import { addEncoded, encodeHistogram } from './histogram-wire.ts'

const curves = ['duration', 'service', 'sendLag'] as const
export type Curves<T> = Record<(typeof curves)[number], T>

export const laidOut = (): Curves<Histogram> => ({
  duration: new Histogram(),
  service: new Histogram(),
  sendLag: new Histogram(),
})

/**
 * What a chart needs of one second. Histograms that nobody adds to any more rest as text: a day has 86,400 seconds, and
 * laid out their buckets would be gigabytes.
 */
export class SeriesSecond {
  readonly sums = {
    requests: 0,
    failed: 0,
    bytesIn: 0,
    bytesOut: 0,
    started: 0,
    ended: 0,
    finished: 0,
    dropped: 0,
    late: 0,
  }
  /** The latest end of a frame in it. */
  to = 0
  #open: Curves<Histogram> | undefined = laidOut()
  #resting: Curves<HistogramWire> | undefined

  add(frame: Frame): void {
    this.to = Math.max(this.to, frame.to)
    const { steps, populations, generator } = frame.counts
    const { duration, service, sendLag } = this.open()
    const { sums } = this
    const addOutcome = (wire: OutcomeWire | undefined): number => {
      if (wire === undefined) return 0
      const before = duration.count
      if (wire.duration !== undefined) addEncoded(duration, wire.duration)
      if (wire.service !== undefined) addEncoded(service, wire.service)
      sums.bytesIn += wire.bytesIn
      sums.bytesOut += wire.bytesOut
      return duration.count - before
    }
    for (const step of steps) {
      const ok = addOutcome(step.ok)
      const ko = addOutcome(step.ko)
      sums.requests += ok + ko
      sums.failed += ko
    }
    for (const population of populations) {
      sums.started += population.started
      sums.finished += population.finished
      sums.ended += population.finished + population.interrupted
      sums.dropped += population.dropped
      sums.late += population.late
    }
    if (generator.sendLag !== undefined) addEncoded(sendLag, generator.sendLag)
  }

  open(): Curves<Histogram> {
    if (this.#open === undefined) {
      this.#open = laidOut()
      for (const curve of curves) {
        const wire = this.#resting?.[curve]
        if (wire !== undefined) addEncoded(this.#open[curve], wire)
      }
    }
    return this.#open
  }

  rest(): void {
    if (this.#open === undefined) return
    const { duration, service, sendLag } = this.#open
    this.#resting = {
      duration: encodeHistogram(duration),
      service: encodeHistogram(service),
      sendLag: encodeHistogram(sendLag),
    }
    this.#open = undefined
  }

  /** Adds its curves to those of a wider point, and rests again. */
  addCurvesTo(target: Curves<Histogram>): void {
    const own = this.open()
    for (const curve of curves) target[curve].add(own[curve])
    this.rest()
  }
}

import { Histogram } from '@onrush/metrics/histogram'
import { addEncoded } from '@onrush/metrics/histogram-wire'
import type { Frame, StepWire } from '@onrush/protocol/frame'

/** One second alone jumps about, and the whole run hides what is going on now. */
const seconds = 5
/** More rows than a terminal shows; percentiles of hundreds of steps, once a second, would cost what the load needs. */
const mostSteps = 60

export class Window {
  readonly due = new Histogram()
  readonly send = new Histogram()

  add({ ok, ko }: StepWire): void {
    for (const outcome of [ok, ko]) {
      if (outcome?.duration !== undefined) addEncoded(this.due, outcome.duration)
      if (outcome?.service !== undefined) addEncoded(this.send, outcome.service)
    }
  }
}

export const keyOf = ({ scenario, step }: Pick<StepWire, 'scenario' | 'step'>) => `${scenario}\n${step}`

/** The last few seconds of a run. */
export class Recent {
  readonly #frames: Frame[] = []

  add(frame: Frame): void {
    this.#frames.push(frame)
    const kept = frame.counts.steps.length > mostSteps ? 1 : seconds
    while (this.#frames.length > kept) this.#frames.shift()
  }

  read(): { whole: Window; lag: Histogram; steps: ReadonlyMap<string, Window>; spanMs: number } {
    const whole = new Window()
    const lag = new Histogram()
    const steps = new Map<string, Window>()
    for (const { counts } of this.#frames) {
      if (counts.generator.sendLag !== undefined) addEncoded(lag, counts.generator.sendLag)
      for (const wire of counts.steps) {
        whole.add(wire)
        const key = keyOf(wire)
        const known = steps.get(key)
        if (known !== undefined) known.add(wire)
        else if (steps.size < mostSteps) {
          const fresh = new Window()
          fresh.add(wire)
          steps.set(key, fresh)
        }
      }
    }
    const from = this.#frames[0]?.from ?? 0
    return { whole, lag, steps, spanMs: Math.max(1, (this.#frames.at(-1)?.to ?? 0) - from) }
  }
}

import { Histogram } from '@onrush/metrics/histogram'
import { addEncoded } from '@onrush/metrics/histogram-wire'
import type { Frame } from '@onrush/protocol/frame'
import type { ReportWorker } from '@onrush/protocol/report'

type Measured = Pick<ReportWorker, 'requests' | 'failed' | 'rate' | 'lagP99' | 'utilisation'>

/** What one worker did itself. */
export class WorkerPart {
  readonly #requests = new Histogram()
  readonly #failed = new Histogram()
  readonly #lag = new Histogram()
  readonly #utilisation = new Histogram()

  add({ counts: { steps, generator } }: Frame): void {
    for (const { ok, ko } of steps) {
      if (ok?.duration !== undefined) addEncoded(this.#requests, ok.duration)
      if (ko?.duration !== undefined) addEncoded(this.#failed, ko.duration)
    }
    if (generator.sendLag !== undefined) addEncoded(this.#lag, generator.sendLag)
    if (generator.utilisation !== undefined) addEncoded(this.#utilisation, generator.utilisation)
  }

  measured(elapsedMs: number): Measured {
    const failed = this.#failed.count
    const requests = this.#requests.count + failed
    return {
      requests,
      failed,
      rate: elapsedMs > 0 ? (requests * 1000) / elapsedMs : 0,
      ...(this.#lag.count === 0 ? {} : { lagP99: this.#lag.percentile(99) / 1000 }),
      ...(this.#utilisation.count === 0 ? {} : { utilisation: Math.min(1, this.#utilisation.mean / 1e6) }),
    }
  }
}

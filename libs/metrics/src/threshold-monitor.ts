import { OnrushError } from '@onrush/protocol/error'
import type { Frame } from '@onrush/protocol/frame'
import type { ThresholdResult } from '@onrush/protocol/summary'
import type { Thresholds } from '@onrush/protocol/threshold'
import { Coverage } from './coverage.ts'
import { parseCheck, parseTarget } from './threshold-expression.ts'
import { Watch } from './threshold-watch.ts'

/**
 * All thresholds of a run, kept up to date with its frames. Thresholds have passed `checkThresholds` before. Windows and
 * warm-ups are as fine as the frames: give it the seconds, not what they were folded into.
 */
export class ThresholdMonitor {
  readonly #watches: readonly Watch[]
  readonly #coverage = new Coverage()

  constructor(thresholds: Thresholds) {
    this.#watches = Object.entries(thresholds).flatMap(([text, list]) =>
      list.map(threshold => {
        const target = parseTarget(text)
        const check = parseCheck(threshold)
        if (target === undefined || check === undefined) {
          throw new OnrushError(
            'invalid',
            `expected a threshold that was checked, got "${text}": ${JSON.stringify(threshold)}`,
          )
        }
        return new Watch(text, target, check)
      }),
    )
  }

  /** A frame that comes again counts once; one that is only partly news changes nothing and answers `overlap`. */
  add(frame: Frame): 'merged' | 'duplicate' | 'overlap' {
    const compared = this.#coverage.compare(frame.covers)
    if (compared !== 'new') return compared === 'known' ? 'duplicate' : 'overlap'
    this.#coverage.add(frame.covers)
    for (const watch of this.#watches) watch.add(frame)
    return 'merged'
  }

  /** The first threshold that asks for the run to be ended, now that it is broken. */
  aborting(): ThresholdResult | undefined {
    return this.#watches.find(({ check, isBroken }) => check.abort && isBroken)?.result(false)
  }

  /** How each stands; with `final`, at the end of the run, the verdict. */
  results(options: { final?: boolean } = {}): ThresholdResult[] {
    return this.#watches.map(watch => watch.result(options.final ?? false))
  }
}

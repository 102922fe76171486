import { generatorVerdict } from '@onrush/metrics/generator-verdict'
import type { Totals } from '@onrush/metrics/totals'
import { durationMs } from '@onrush/protocol/duration'
import { count, latency, share } from '@onrush/protocol/figures'
import type { GeneratorHealth } from '@onrush/protocol/report'
import type { GeneratorLimits } from '@onrush/protocol/simulation'

/** The evidence, good or middling. */
function evidence(totals: Totals, missed: number): string {
  const { sendLag, utilisation } = totals.counts
  let dropped = 0
  for (const population of totals.counts.populations()) dropped += population.sessions.dropped
  const lost = [
    ...(dropped > 0 ? [`${count(dropped)} arrivals were dropped`] : []),
    ...(missed > 0 ? [`${count(missed)} arrivals were missed`] : []),
  ]
  return [
    ...(sendLag.count === 0
      ? []
      : [`99 % of requests left within ${latency(sendLag.percentile(99) / 1000)} of the moment they were due`]),
    ...(lost.length === 0 ? ['no arrival was dropped'] : lost),
    ...(utilisation.count === 0
      ? []
      : [`its threads were busy ${share(Math.min(1, utilisation.mean / 1e6))} of the time`]),
  ].join(', ')
}

/** Whether the numbers can be trusted, in plain words. */
export function generatorHealth(
  totals: Totals,
  limits: GeneratorLimits | undefined,
  missed: number,
  imbalances: readonly string[],
): GeneratorHealth {
  const counted = generatorVerdict(totals, {
    missed,
    limits: {
      ...(limits?.lagP99 === undefined ? {} : { sendLagMs: durationMs(limits.lagP99) }),
      ...(limits?.missed === undefined ? {} : { missedShare: limits.missed }),
    },
  })
  // Books that do not balance are a defect of the generator, and then no number of it can be trusted.
  const reasons = [...counted.reasons, ...imbalances.map(imbalance => `the books do not balance: ${imbalance}`)]
  const verdict = { ...counted, valid: reasons.length === 0, reasons }
  const sentence = verdict.valid
    ? `The generator kept up: ${evidence(totals, missed)}.`
    : `The generator did not keep up: ${verdict.reasons.join('. And ')}.`
  return { ...verdict, missed, sentence }
}

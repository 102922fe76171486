import type { GeneratorVerdict } from '@onrush/protocol/summary'
import type { Totals } from './totals.ts'

export interface GeneratorLimits {
  /** p99 of the send lag. */
  readonly sendLagMs: number
  /** Share of the arrivals that were dropped or missed. */
  readonly missedShare: number
  /** Above this share of busy time in a second, a thread is at its end: a warning. */
  readonly utilisation: number
  /** Fewer late or missing ones than this may be chance, whatever share of a small run they are. */
  readonly atLeast: number
}

export const defaultLimits: GeneratorLimits = { sendLagMs: 10, missedShare: 0.001, utilisation: 0.95, atLeast: 10 }

const percent = (share: number) => `${(share * 100).toFixed(share < 0.01 ? 2 : 1)} %`

/**
 * Whether the generator kept up with its own plan. p99 above a limit means that more than 1 % lie above it; so counts
 * decide, and a handful of slow starts in a short run condemns nothing. `missed` are arrivals of workers that were lost.
 */
export function generatorVerdict(
  totals: Totals,
  options: { missed?: number; limits?: Partial<GeneratorLimits> } = {},
): GeneratorVerdict {
  const limits = { ...defaultLimits, ...options.limits }
  const { sendLag, utilisation } = totals.counts
  const sessions = { started: 0, dropped: 0, late: 0 }
  for (const population of totals.counts.populations()) {
    sessions.started += population.sessions.started
    sessions.dropped += population.sessions.dropped
    sessions.late += population.sessions.late
  }
  const reasons: string[] = []
  const warnings: string[] = []

  const behind = sendLag.countAbove(limits.sendLagMs * 1000)
  if (behind >= limits.atLeast && behind > sendLag.count / 100) {
    const p99 = (sendLag.percentile(99) / 1000).toFixed(1)
    reasons.push(
      `sent late: ${percent(behind / sendLag.count)} of ${sendLag.count} requests left more than ${limits.sendLagMs} ms after they were due (p99 ${p99} ms), so the generator, not the target, set the pace; use more threads or workers, or less load`,
    )
  }
  const missed = sessions.dropped + (options.missed ?? 0)
  const due = sessions.started + missed
  if (missed >= limits.atLeast && missed > due * limits.missedShare) {
    reasons.push(
      `missed arrivals: ${missed} of ${due} (${percent(missed / due)}) never started: ${sessions.dropped} dropped at the limit of users, ${options.missed ?? 0} lost with their workers; raise maxUsers, or use more workers`,
    )
  }
  if (sessions.late >= limits.atLeast && sessions.late > sessions.started / 100) {
    warnings.push(
      `${sessions.late} of ${sessions.started} sessions (${percent(sessions.late / sessions.started)}) started late`,
    )
  }
  const busy = utilisation.countAbove(limits.utilisation * 1e6)
  if (busy >= 3 && busy > utilisation.count / 10) {
    warnings.push(
      `threads were more than ${percent(limits.utilisation)} busy in ${busy} of ${utilisation.count} seconds; near the limit latencies grow by the generator's own waiting`,
    )
  }
  return { valid: reasons.length === 0, reasons, warnings }
}

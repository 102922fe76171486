import { checkThresholds } from '@onrush/metrics/threshold-check'
import { ThresholdMonitor } from '@onrush/metrics/threshold-monitor'
import { inItsUnit } from '@onrush/protocol/measured'
import type { Report } from '@onrush/protocol/report'
import type { ThresholdResult } from '@onrush/protocol/summary'

/** A difference between two runs that must not be: `p(95)>+5%`, `failed:rate>0.01`, `duration{step:log in}:p(99)>+20`. */
export interface FailOn {
  readonly text: string
  readonly metric: string
  readonly statistic: string
  readonly comparison: '>' | '>=' | '<' | '<='
  /** In parts of the baseline, or as the difference itself. */
  readonly limit: number
  readonly relative: boolean
}

const shape = /^\s*(?:(.+?)\s*:\s*)?([a-z]+(?:\(\d+(?:\.\d+)?\))?)\s*(>=|<=|>|<)\s*([+-]?\d+(?:\.\d+)?)\s*(%?)\s*$/s

/** A sentence where the text says no such thing. */
export function failOnFromText(text: string): FailOn | string {
  const found = shape.exec(text)
  const comparison = (['>', '>=', '<', '<='] as const).find(each => each === found?.[3])
  if (found === null || comparison === undefined) {
    return `expected a difference like "p(95)>+5%", "failed:rate>+0.01" or "requests:rate<-10%", got "${text}"`
  }
  const relative = found[5] === '%'
  const limit = Number(found[4]) / (relative ? 100 : 1)
  return { text: text.trim(), metric: found[1] ?? 'duration', statistic: found[2] ?? '', comparison, limit, relative }
}

const asThreshold = ({ metric, statistic }: FailOn) => ({ [metric]: [`${statistic}<0`] })

/** What of the runs a condition speaks of that neither of them knows. */
export function faultsOfFailOn(failOn: FailOn, reports: readonly Report[]): string[] {
  const steps = reports.flatMap(({ summary }) => summary.steps)
  const known = {
    steps: steps.map(({ step }) => step),
    scenarios: steps.map(({ scenario }) => scenario),
    groups: reports.flatMap(({ summary }) => summary.groups.map(({ group }) => group)),
    checks: steps.flatMap(({ checks }) => checks.map(({ label }) => label)),
    metrics: reports.flatMap(({ summary }) => summary.metrics.map(({ name, kind }) => ({ name, kind }))),
    open: false,
  }
  return checkThresholds(asThreshold(failOn), known).map(({ message }) => message)
}

function measure(failOn: FailOn, { frame }: Report): number | undefined {
  if (frame === undefined) return undefined
  const monitor = new ThresholdMonitor(asThreshold(failOn))
  monitor.add(frame)
  const [result]: ThresholdResult[] = monitor.results({ final: true })
  return result?.value
}

function holds(change: number, { comparison, limit }: FailOn): boolean {
  switch (comparison) {
    case '>':
      return change > limit
    case '>=':
      return change >= limit
    case '<':
      return change < limit
    case '<=':
      return change <= limit
    default:
      return comparison satisfies never
  }
}

export interface FailOnResult {
  readonly text: string
  readonly failed: boolean
  readonly detail: string
}

/** Whether a later run differs from the baseline in a way it must not. What cannot be measured must not pass either. */
export function judge(failOn: FailOn, baseline: Report, other: Report): FailOnResult {
  const { text, metric, statistic, relative } = failOn
  const from = measure(failOn, baseline)
  const to = measure(failOn, other)
  if (from === undefined || to === undefined) {
    const which = from === undefined ? baseline : other
    return { text, failed: true, detail: `nothing was measured for it in ${which.run.runId}` }
  }
  const by = to - from
  const change = !relative ? by : by === 0 ? 0 : from === 0 ? Math.sign(by) * Number.POSITIVE_INFINITY : by / from
  const written = (value: number) => inItsUnit(metric, statistic, value)
  return { text, failed: holds(change, failOn), detail: `${written(from)} → ${written(to)}` }
}

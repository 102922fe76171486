import type { MetricSummary, Sessions, StepSummary, Summary, WholeSummary } from '@onrush/protocol/summary'
import { PopulationCounts, sessionCounters } from './group-counts.ts'
import { Histogram } from './histogram.ts'
import { latencyOf } from './latency.ts'
import type { MetricCounts } from './metric-counts.ts'
import { raise } from './pairs.ts'
import { StepCounts } from './step-counts.ts'
import type { Totals } from './totals.ts'

function together(...histograms: readonly Histogram[]): Histogram {
  const sum = new Histogram()
  for (const histogram of histograms) sum.add(histogram)
  return sum
}

const perSecond = (count: number, elapsedMs: number) => (elapsedMs > 0 ? (count * 1000) / elapsedMs : 0)
const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

function measured(counts: StepCounts, elapsedMs: number): WholeSummary {
  const { ok, ko } = counts
  const count = counts.count
  const status = new Map(ok.status)
  for (const [code, times] of ko.status) raise(status, code, times)
  return {
    count,
    ok: ok.duration.count,
    ko: ko.duration.count,
    rate: perSecond(count, elapsedMs),
    failed: share(ko.duration.count, count),
    duration: latencyOf(together(ok.duration, ko.duration)),
    service: latencyOf(together(ok.service, ko.service)),
    durationOk: latencyOf(ok.duration),
    durationKo: latencyOf(ko.duration),
    connect: latencyOf(counts.connect),
    tls: latencyOf(counts.tls),
    firstByte: latencyOf(counts.firstByte),
    bytesIn: ok.bytesIn + ko.bytesIn,
    bytesOut: ok.bytesOut + ko.bytesOut,
    status: [...status].sort(([a], [b]) => a - b).map(([code, times]) => ({ status: code, count: times })),
    errors: [...counts.errors].sort(([, a], [, b]) => b - a).map(([kind, times]) => ({ kind, count: times })),
    checks: [...counts.checks].map(([label, { passed, failed }]) => ({ label, passed, failed })),
  }
}

/** All steps as one. */
export function wholeOf(steps: Iterable<StepCounts>): StepCounts {
  const whole = new StepCounts({ scenario: '', step: '' })
  for (const step of steps) {
    for (const outcome of ['ok', 'ko'] as const) {
      whole[outcome].duration.add(step[outcome].duration)
      whole[outcome].service.add(step[outcome].service)
      whole[outcome].bytesIn += step[outcome].bytesIn
      whole[outcome].bytesOut += step[outcome].bytesOut
      for (const [status, times] of step[outcome].status) raise(whole[outcome].status, status, times)
    }
    whole.connect.add(step.connect)
    whole.tls.add(step.tls)
    whole.firstByte.add(step.firstByte)
    for (const [kind, times] of step.errors) raise(whole.errors, kind, times)
    for (const [label, { passed, failed }] of step.checks) whole.addCheck(label, passed, failed)
  }
  return whole
}

function sessionsOf(counts: PopulationCounts): Sessions {
  const { sessions } = counts
  return { ...sessions, active: sessions.started - sessions.finished - sessions.interrupted }
}

function metricOf(counts: MetricCounts, elapsedMs: number): MetricSummary {
  const { name, kind, tags } = counts
  switch (kind) {
    case 'counter': {
      const sum = counts.thousandths / 1000
      return { name, kind, tags, sum, perSecond: perSecond(sum, elapsedMs) }
    }
    case 'gauge':
      return { name, kind, tags, value: counts.gauge?.value }
    case 'rate':
      return { name, kind, tags, hits: counts.hits, total: counts.total, share: share(counts.hits, counts.total) }
    case 'trend':
      return { name, kind, tags, values: latencyOf(counts.values) }
    default:
      return kind satisfies never
  }
}

/** The numbers, derived once from what was counted. `elapsedMs` when the frames' own span is not the run's. */
export function summarise(totals: Totals, options: { elapsedMs?: number } = {}): Summary {
  const { counts } = totals
  const elapsedMs = options.elapsedMs ?? totals.elapsedMs
  const steps = [...counts.steps()].filter(step => step.count > 0 || step.errors.size > 0 || step.checks.size > 0)
  const populations = [...counts.populations()]
  const everyone = new PopulationCounts('')
  for (const population of populations) {
    for (const counter of sessionCounters) everyone.sessions[counter] += population.sessions[counter]
  }
  const { utilisation } = counts
  return {
    elapsedMs,
    whole: measured(wholeOf(steps), elapsedMs),
    steps: steps.map((step): StepSummary => {
      const { scenario, group } = step
      return { scenario, step: step.step, ...(group === undefined ? {} : { group }), ...measured(step, elapsedMs) }
    }),
    groups: [...counts.groups()].map(({ scenario, group, ok, ko }) => ({
      scenario,
      group,
      ok: ok.count,
      ko: ko.count,
      duration: latencyOf(together(ok, ko)),
    })),
    sessions: sessionsOf(everyone),
    populations: populations.map(population => ({
      population: population.population,
      ...sessionsOf(population),
      passes: population.passesOk.count + population.passesKo.count,
      passesFailed: population.passesKo.count,
      passDuration: latencyOf(together(population.passesOk, population.passesKo)),
    })),
    generator: {
      sendLag: latencyOf(counts.sendLag),
      utilisation:
        utilisation.count === 0
          ? undefined
          : {
              mean: utilisation.mean / 1e6,
              p95: utilisation.percentile(95) / 1e6,
              max: utilisation.max / 1e6,
            },
    },
    metrics: [...counts.metrics()].map(metric => metricOf(metric, elapsedMs)),
    samples: counts.samples.toList(),
  }
}

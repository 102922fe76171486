import { type BuiltInMetric, builtInMetrics, type CustomKind } from './metric-names.ts'
import type { SelectorKey, Statistic } from './threshold-expression.ts'

/** What can be asked of a metric, and which parts of it can be named. */
export interface MetricShape {
  readonly statistics: readonly Statistic[]
  readonly selectors: readonly SelectorKey[]
}

const distribution: readonly Statistic[] = ['avg', 'min', 'med', 'max', 'p', 'count']
const amount: readonly Statistic[] = ['count', 'rate']
const place: readonly SelectorKey[] = ['step', 'scenario', 'group']
const sessions: MetricShape = { statistics: amount, selectors: ['scenario'] }
const perStep: MetricShape = { statistics: distribution, selectors: place }
const perOutcome: MetricShape = { statistics: distribution, selectors: [...place, 'outcome'] }
const bytes: MetricShape = { statistics: amount, selectors: [...place, 'outcome'] }

export const catalogue: Readonly<Record<BuiltInMetric, MetricShape>> = {
  duration: perOutcome,
  service: perOutcome,
  connect: perStep,
  tls: perStep,
  first_byte: perStep,
  requests: { statistics: amount, selectors: [...place, 'status', 'outcome'] },
  failed: { statistics: amount, selectors: place },
  errors: { statistics: amount, selectors: [...place, 'kind'] },
  checks: { statistics: amount, selectors: [...place, 'check'] },
  bytes_in: bytes,
  bytes_out: bytes,
  group_duration: { statistics: distribution, selectors: ['group', 'scenario', 'outcome'] },
  pass_duration: { statistics: distribution, selectors: ['scenario', 'outcome'] },
  passes: { statistics: amount, selectors: ['scenario', 'outcome'] },
  started: sessions,
  finished: sessions,
  interrupted: sessions,
  dropped: sessions,
  late: sessions,
  cancelled: sessions,
  send_lag: { statistics: distribution, selectors: [] },
  utilisation: { statistics: ['avg', 'min', 'med', 'max', 'p'], selectors: [] },
}

export const customCatalogue: Readonly<Record<CustomKind, MetricShape>> = {
  counter: { statistics: amount, selectors: ['tag'] },
  gauge: { statistics: ['value'], selectors: ['tag'] },
  rate: { statistics: ['rate', 'count'], selectors: ['tag'] },
  trend: { statistics: distribution, selectors: ['tag'] },
}

export function isBuiltIn(metric: string): metric is BuiltInMetric {
  return builtInMetrics.some(name => name === metric)
}

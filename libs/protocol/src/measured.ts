import { latency, plain, rate, share } from './figures.ts'
import type { ThresholdResult } from './summary.ts'

const times = new Set([
  'duration',
  'service',
  'connect',
  'tls',
  'first_byte',
  'group_duration',
  'pass_duration',
  'send_lag',
])
const shares = new Set(['failed', 'checks', 'utilisation'])

/** A value of a metric in the unit it is read in: latencies are milliseconds, `rate` of a share is the share. */
export function inItsUnit(metric: string, check: string, value: number): string {
  const name = /^[^{\s]*/.exec(metric.trim())?.[0] ?? ''
  const statistic = /^[a-z]*/.exec(check.trim())?.[0] ?? ''
  if (statistic === 'count') return plain(value)
  if (times.has(name)) return statistic === 'rate' ? rate(value) : latency(value)
  if (shares.has(name)) return share(value)
  return statistic === 'rate' ? rate(value) : plain(value)
}

export function measuredText({ metric, check, value }: Pick<ThresholdResult, 'metric' | 'check' | 'value'>): string {
  return value === undefined ? 'nothing measured' : inItsUnit(metric, check, value)
}

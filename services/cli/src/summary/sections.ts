import { bytes, count, duration, latency, plain, rate, share } from '@onrush/protocol/figures'
import { measuredText } from '@onrush/protocol/measured'
import type { Report } from '@onrush/protocol/report'
import type { Latency, StepSummary, WholeSummary } from '@onrush/protocol/summary'
import type { Paint } from '../terminal/paint.ts'
import { type TextColumn, textTable } from '../terminal/text-table.ts'
import { shorten } from '../terminal/width.ts'

export interface Drawing {
  readonly paint: Paint
  /** Columns there are; a file has no end of them. */
  readonly width: number
}

const mark = (passed: boolean, paint: Paint) => (passed ? paint('green', '✓') : paint('red', '✗'))
const without = (columns: readonly TextColumn[], rows: readonly (readonly string[])[], width?: number) =>
  textTable(columns, rows, width).slice(1)

const words = (count: number): TextColumn[] => Array.from({ length: count }, () => ({ title: '', left: true }))

export function thresholds({ thresholds: rows }: Report, { paint }: Drawing): string[] {
  return without(
    [...words(3), { title: '' }, { title: '', left: true }],
    rows.map(each => [
      `${mark(each.passed, paint)} ${each.metric}`,
      each.check,
      each.over === undefined ? '' : `over ${duration(each.over)}`,
      each.passed ? measuredText(each) : paint('red', measuredText(each)),
      each.failedAt === undefined ? '' : `first failed after ${duration(each.failedAt)}`,
    ]),
  )
}

export function checks({ summary }: Report, { paint }: Drawing): string[] {
  const rows = summary.steps.flatMap(({ step, checks: all }) => all.map(each => ({ step, ...each })))
  return without(
    [...words(2), { title: '' }, { title: '', left: true }],
    rows.map(({ step, label, passed, failed }) => [
      `${mark(failed === 0, paint)} ${shorten(step, 40)}`,
      shorten(label, 60),
      share(passed / Math.max(1, passed + failed)),
      failed === 0 ? `${count(passed)} passed` : `${count(passed)} passed, ${paint('red', `${count(failed)} failed`)}`,
    ]),
  )
}

const latencyColumns: readonly TextColumn[] = [
  { title: 'latency from due', left: true },
  { title: 'avg', spare: 4 },
  { title: 'min', spare: 6 },
  { title: 'med' },
  { title: 'p90', spare: 3 },
  { title: 'p95' },
  { title: 'p99' },
  { title: 'max', spare: 2 },
  { title: 'from send: med', spare: 5 },
  { title: 'p95', spare: 1 },
  { title: 'p99', spare: 7 },
]

const statistics = ['mean', 'min', 'p50', 'p90', 'p95', 'p99', 'max'] as const
const cells = (latencies: Latency | undefined, wanted: readonly (keyof Latency)[]) =>
  wanted.map(each => (latencies === undefined ? '–' : latency(latencies[each])))

const latencyRow = (name: string, of: WholeSummary) => [
  name,
  ...cells(of.duration, statistics),
  ...cells(of.service, ['p50', 'p95', 'p99']),
]

const stepName = ({ scenario, step, group }: StepSummary, several: boolean) =>
  shorten([...(several ? [scenario] : []), ...(group === undefined ? [] : [group]), step].join(' › '), 48)

/** A row for each step; what the terminal is too narrow for is left out, sparest first. */
export function latencies({ summary }: Report, { paint, width }: Drawing): string[] {
  if (summary.whole.count === 0) return ['no request was made']
  const several = new Set(summary.steps.map(({ scenario }) => scenario)).size > 1
  const rows = summary.steps.map(step => latencyRow(stepName(step, several), step))
  const all = latencyRow('all', summary.whole)
  const lines = textTable(latencyColumns, rows.length > 1 ? [...rows, all] : rows, width)
  return lines.map((line, i) => (i === 0 ? paint('dim', line) : i > rows.length ? paint('bold', line) : line))
}

/** Requests, failures and pace by step, where there are several. */
export function counts({ summary }: Report, { paint, width }: Drawing): string[] {
  const { steps, whole } = summary
  const several = new Set(steps.map(({ scenario }) => scenario)).size > 1
  const row = (name: string, of: WholeSummary) => [
    name,
    count(of.count),
    rate(of.rate),
    of.ko > 0 ? paint('red', count(of.ko)) : '0',
    of.ko > 0 ? paint('red', share(of.failed)) : '0',
  ]
  const columns: TextColumn[] = [
    { title: 'requests', left: true },
    { title: 'count' },
    { title: 'per second' },
    { title: 'failed' },
    { title: 'share' },
  ]
  const rows = steps.length > 1 ? steps.map(step => row(stepName(step, several), step)) : []
  const lines = textTable(columns, [...rows, row('all', whole)], width)
  return lines.map((line, i) => (i === 0 ? paint('dim', line) : i > rows.length ? paint('bold', line) : line))
}

export function totals({ summary, totals: all, elapsedMs }: Report, { paint }: Drawing): string[] {
  const { whole, metrics, groups } = summary
  const perSecond = (size: number) => `${bytes((size * 1000) / Math.max(1, elapsedMs))}/s`
  const phase = (name: string, of: Latency | undefined) =>
    of === undefined
      ? []
      : [[name, `med ${latency(of.p50)}, p95 ${latency(of.p95)}, max ${latency(of.max)}, ${count(of.count)} times`]]
  const sessions = [
    `${count(all.started)} started`,
    `${count(all.finished)} finished`,
    ...(['interrupted', 'dropped', 'cancelled', 'missed', 'active'] as const).flatMap(entry =>
      all[entry] === 0 ? [] : [paint('yellow', `${count(all[entry])} ${entry === 'active' ? 'never ended' : entry}`)],
    ),
  ]
  const doubt = summary.steps.reduce(
    (sum, { service, status }) =>
      sum + Math.max(0, (service?.count ?? 0) - status.reduce((all, each) => all + each.count, 0)),
    0,
  )
  const rows = [
    ['sessions', sessions.join(', ')],
    [
      'data',
      `${bytes(whole.bytesIn)} received (${perSecond(whole.bytesIn)}), ${bytes(whole.bytesOut)} sent (${perSecond(whole.bytesOut)})`,
    ],
    ...(doubt === 0
      ? []
      : [['in doubt', `${count(doubt)} requests were sent and never answered; the target may have seen them`]]),
    ...phase('connecting', whole.connect),
    ...phase('TLS', whole.tls),
    ...phase('first byte', whole.firstByte),
    ...groups.map(({ group, ok, ko, duration: of }) => [
      `group ${shorten(group, 30)}`,
      `${count(ok + ko)} times${ko > 0 ? `, ${paint('red', `${count(ko)} failed`)}` : ''}${of === undefined ? '' : `, med ${latency(of.p50)}, p95 ${latency(of.p95)}, max ${latency(of.max)}`}`,
    ]),
    ...metrics.map(metric => [metricName(metric), metricValue(metric)]),
  ]
  return without(words(2), rows)
}

type Metric = Report['summary']['metrics'][number]

const metricName = ({ name, tags }: Metric) =>
  tags.length === 0 ? name : `${name}{${tags.map(([key, value]) => `${key}:${value}`).join(',')}}`

function metricValue({ kind, sum, perSecond, value, hits, total, share: part, values }: Metric): string {
  switch (kind) {
    case 'counter':
      return `${plain(sum ?? 0)} (${rate(perSecond ?? 0)})`
    case 'gauge':
      return value === undefined ? '–' : plain(value)
    case 'rate':
      return `${share(part ?? 0)} (${count(hits ?? 0)} of ${count(total ?? 0)})`
    case 'trend':
      if (values === undefined) return '–'
      return `avg ${plain(values.mean)}, med ${plain(values.p50)}, p95 ${plain(values.p95)}, max ${plain(values.max)}`
    default:
      return kind satisfies never
  }
}

const mostFailures = 12

export function failures({ failures: rows, summary }: Report, { paint }: Drawing): string[] {
  const shown = rows.slice(0, mostFailures)
  const lines = without(
    [{ title: '' }, ...words(3)],
    shown.map(({ kind, step, scenario, count: times }) => {
      const sample = summary.samples.find(
        each => each.kind === kind && each.step === step && each.scenario === scenario,
      )
      return [count(times), paint('red', kind), shorten(step, 40), shorten(sample?.message.split('\n')[0] ?? '', 100)]
    }),
  )
  return rows.length > shown.length ? [...lines, `… and ${rows.length - shown.length} more kinds in the report`] : lines
}

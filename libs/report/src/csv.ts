import type { Report } from '@onrush/protocol/report'
import type { StepSummary, WholeSummary } from '@onrush/protocol/summary'
import { printable } from './printable.ts'

type Cell = string | number | undefined

/**
 * A cell that spreadsheets take as text. What begins with a sign of theirs would be run as a formula; a leading
 * apostrophe is what they themselves use against it.
 */
function cell(value: Cell): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = printable(value)
  const safe = /^[\s\u00a0]*[=+\-@|%]|^[\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\n\r;\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

interface Column {
  readonly name: string
  of(step: WholeSummary): Cell
}

const latencies = (['duration', 'service'] as const).flatMap(metric =>
  (['mean', 'min', 'p50', 'p90', 'p95', 'p99', 'p999', 'max'] as const).map(
    (statistic): Column => ({
      name: `${metric}_${statistic}_ms`,
      of: step => step[metric]?.[statistic],
    }),
  ),
)

const columns: readonly Column[] = [
  { name: 'requests', of: step => step.count },
  { name: 'failures', of: step => step.ko },
  { name: 'failed_share', of: step => rounded(step.failed, 6) },
  { name: 'requests_per_s', of: step => rounded(step.rate, 3) },
  ...latencies,
  { name: 'bytes_in', of: step => step.bytesIn },
  { name: 'bytes_out', of: step => step.bytesOut },
  {
    name: 'status',
    of: step => step.status.map(({ status, count }) => `${status === -1 ? 'other' : status}:${count}`).join(' '),
  },
  { name: 'errors', of: step => step.errors.map(({ kind, count }) => `${kind}:${count}`).join(' ') },
]

function row(place: readonly Cell[], step: WholeSummary): string {
  return [...place, ...columns.map(column => column.of(step))].map(cell).join(',')
}

/** A row for each step and one for all of them, for spreadsheets. Latencies are milliseconds. */
export function toCsv({ summary }: Report): string {
  const lines = [
    ['scenario', 'group', 'step', ...columns.map(({ name }) => name)].join(','),
    ...summary.steps.map((step: StepSummary) => row([step.scenario, step.group, step.step], step)),
    row(['', '', 'Aggregated'], summary.whole),
  ]
  return `${lines.join('\r\n')}\r\n`
}

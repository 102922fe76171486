import { bytes, count, duration, latency, plainSpaces, rate, share } from '@onrush/protocol/figures'
import type { Report } from '@onrush/protocol/report'
import { allFailed } from '../summary/all-failed.ts'
import { checks, type Drawing, failures } from '../summary/sections.ts'
import { safeLine } from '../terminal/safe-line.ts'
import { textTable } from '../terminal/text-table.ts'
import { histogramBars, latencyOfAll } from './histogram-bars.ts'

const percentiles = [10, 25, 50, 75, 90, 95, 99, 99.9] as const

const pairs = (rows: readonly (readonly [string, string])[]) =>
  textTable(
    [
      { title: '', left: true },
      { title: '', left: true },
    ],
    rows,
  ).slice(1)

function overview({ summary, totals, elapsedMs }: Report, { paint }: Drawing): string[] {
  const { whole } = summary
  const failed = `${count(whole.ko)} (${share(whole.failed)})`
  const perSecond = (size: number) => `${bytes((size * 1000) / Math.max(1, elapsedMs))}/s`
  return pairs([
    ['requests', `${count(whole.count)} in ${duration(elapsedMs)}`],
    ['rate', rate(whole.rate)],
    ['failed', whole.ko > 0 ? paint('red', failed) : '0'],
    ...(totals.dropped > 0 ? [['dropped', paint('yellow', count(totals.dropped))] as const] : []),
    ['received', `${bytes(whole.bytesIn)}, ${perSecond(whole.bytesIn)}`],
    ['sent', `${bytes(whole.bytesOut)}, ${perSecond(whole.bytesOut)}`],
    ...(whole.connect === undefined
      ? []
      : [['connections', `${count(whole.connect.count)} opened, med ${latency(whole.connect.p50)}`] as const]),
  ])
}

/** The percentiles, from due beside from send where a rate makes them differ. */
function percentileTable({ frame, plan }: Report): string[] {
  if (frame === undefined) return []
  const due = latencyOfAll(frame, 'duration')
  const send = latencyOfAll(frame, 'service')
  if (send.count === 0) return []
  const open = plan.populations.some(({ kind }) => kind === 'open')
  const at = (percent: number) => [
    latency(send.percentile(percent) / 1000),
    ...(open ? [latency(due.percentile(percent) / 1000)] : []),
  ]
  const columns = [{ title: 'latency', left: true }, { title: 'from send' }, ...(open ? [{ title: 'from due' }] : [])]
  const reached = percentiles.filter(percent => send.count * (1 - percent / 100) >= 1 || percent <= 99)
  return textTable(columns, [
    ['average', latency(send.mean / 1000), ...(open ? [latency(due.mean / 1000)] : [])],
    ['fastest', latency(send.min / 1000), ...(open ? [latency(due.min / 1000)] : [])],
    ...reached.map(percent => [`${percent} %`, ...at(percent)]),
    ['slowest', latency(send.max / 1000), ...(open ? [latency(due.max / 1000)] : [])],
  ])
}

function statuses({ summary }: Report, { paint }: Drawing): string[] {
  return textTable(
    [{ title: '' }, { title: '' }],
    summary.whole.status.map(({ status, count: times }) => {
      const text = status === -1 ? 'other' : String(status)
      return [status >= 400 ? paint('red', text) : paint('green', text), count(times)]
    }),
  ).slice(1)
}

/** What hey and oha print: figures, percentiles, bars, status codes, errors. */
export function quickText(report: Report, page: string | undefined, drawing: Drawing): string {
  const { run, generator, stopped, frame } = report
  const { paint } = drawing
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', ...(title === '' ? [] : [paint('bold', title)]), ...lines.map(line => `  ${line}`)]
  const lines = [
    paint('bold', run.description ?? run.name),
    ...(report.error === undefined ? [] : [paint('red', `failed: ${report.error}`)]),
    ...(stopped === undefined
      ? []
      : [paint('yellow', `stopped after ${duration(Math.max(0, stopped.at))}: ${stopped.reason}`)]),
    ...allFailed(report, "--assert '$.status=200'", paint),
    ...section('', overview(report, drawing)),
    ...section('', percentileTable(report)),
    ...section(
      'How many took how long (from send)',
      frame === undefined ? [] : histogramBars(latencyOfAll(frame, 'service'), paint),
    ),
    ...section('Status codes', statuses(report, drawing)),
    ...section('Assertions', checks(report, drawing)),
    ...section('Failures', failures(report, drawing)),
    ...(generator.valid && generator.warnings.length === 0 ? [] : ['', paint('yellow', `! ${generator.sentence}`)]),
    ...generator.warnings.map(warning => paint('yellow', `! ${warning}`)),
    ...(page === undefined ? [] : ['', `report: ${page}`]),
  ]
  return `${lines.map(line => plainSpaces(safeLine(line))).join('\n')}\n`
}

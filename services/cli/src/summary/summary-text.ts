import { duration, plainSpaces, share } from '@onrush/protocol/figures'
import type { Report } from '@onrush/protocol/report'
import type { Paint } from '../terminal/paint.ts'
import { safeLine } from '../terminal/safe-line.ts'
import { allFailed } from './all-failed.ts'
import { checks, counts, type Drawing, failures, latencies, thresholds, totals } from './sections.ts'

const verdicts = {
  passed: ['green', '✓ passed'],
  failed: ['red', '✗ failed'],
  invalid: ['yellow', '! invalid'],
} as const
const ended = { finished: 'finished', stopped: 'stopped', failed: 'broke off' } as const

function section(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0
    ? []
    : ['', ...(title === '' ? [] : [paint('bold', title)]), ...lines.map(line => `  ${line}`)]
}

function checksTitle({ summary }: Report): string {
  const all = summary.whole.checks
  const passed = all.reduce((sum, each) => sum + each.passed, 0)
  const whole = all.reduce((sum, each) => sum + each.passed + each.failed, 0)
  return `Checks: ${share(passed / Math.max(1, whole))} held`
}

/** What ends a run in the terminal: the verdict first, then what it rests on. Ends with a line's end. */
export function summaryText(report: Report, page: string | undefined, drawing: Drawing): string {
  const { paint } = drawing
  const { run, verdict, status, elapsedMs, generator, stopped, error, workers } = report
  const [colour, word] = verdicts[verdict]
  const where = run.environment.name === undefined ? '' : ` · ${run.environment.name}`
  const inner = { ...drawing, width: drawing.width - 2 }
  const notes = [
    ...(error === undefined ? [] : [paint('red', `failed: ${error}`)]),
    ...(stopped === undefined
      ? []
      : [paint('yellow', `stopped after ${duration(Math.max(0, stopped.at))}: ${stopped.reason}`)]),
    ...allFailed(report, "failed: ['rate<0.01']", paint),
    ...report.notes.map(note => paint('yellow', note)),
  ]
  const lines = [
    `${paint('bold', `${run.name}${where}`)}: ${paint(colour, word)}, ${ended[status]} after ${duration(elapsedMs)}`,
    ...notes.map(note => `  ${note}`),
    ...section('Thresholds', thresholds(report, inner), paint),
    ...section(checksTitle(report), checks(report, inner), paint),
    ...section('', latencies(report, inner), paint),
    ...section('', counts(report, inner), paint),
    ...section('', totals(report, inner), paint),
    ...section('Failures', failures(report, inner), paint),
    '',
    generator.valid ? generator.sentence : paint('yellow', `! ${generator.sentence}`),
    ...generator.warnings.map(warning => paint('yellow', `! ${warning}`)),
    ...(workers.length > 1 ? [`${workers.length} workers took part`] : []),
    ...(page === undefined ? [] : ['', `report: ${page}`]),
  ]
  return `${lines.map(line => plainSpaces(safeLine(line))).join('\n')}\n`
}

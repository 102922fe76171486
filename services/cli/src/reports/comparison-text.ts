import type { ComparedRow, Comparison, Difference } from '@onrush/protocol/compare-reports'
import { change, latency, plainSpaces, rate, share } from '@onrush/protocol/figures'
import type { Drawing } from '../summary/sections.ts'
import type { Paint } from '../terminal/paint.ts'
import { safeLine } from '../terminal/safe-line.ts'
import { textTable } from '../terminal/text-table.ts'
import { shorten } from '../terminal/width.ts'

const write = { latency, rate, share } as const

function verdict({ change: by, beyondNoise, worse }: Difference, paint: Paint): string {
  if (by === undefined) return ''
  if (beyondNoise === undefined) return paint('dim', 'too short to tell')
  if (!beyondNoise) return paint('dim', 'within noise')
  return worse ? paint('red', '✗ worse') : paint('green', '✓ better')
}

function changeText(baseline: number | undefined, { value, change: by }: Difference): string {
  if (by === undefined || baseline === undefined || value === undefined) return ''
  return change(baseline, value)
}

function cells({ name, unit, baseline, others }: ComparedRow, paint: Paint): string[] {
  const text = (value: number | undefined) => (value === undefined ? '–' : write[unit](value))
  return [
    shorten(name, 60),
    text(baseline),
    ...others.flatMap(other => [text(other.value), changeText(baseline, other), verdict(other, paint)]),
  ]
}

/** A table of what differs, regressions first. */
export function comparisonText(comparison: Comparison, { paint }: Pick<Drawing, 'paint'>): string {
  const [baseline = '', ...others] = comparison.runs
  const names = others.map((_, i) => (others.length === 1 ? 'B' : `B${i + 1}`))
  const columns = [
    { title: '', left: true },
    { title: 'A' },
    ...names.flatMap(name => [{ title: name }, { title: 'change' }, { title: '', left: true }]),
  ]
  const [titles = '', ...rows] = textTable(
    columns,
    comparison.rows.map(row => cells(row, paint)),
  )
  const lines = [
    `A   ${baseline}`,
    ...others.map((run, i) => `${(names[i] ?? '').padEnd(2)}  ${run}`),
    ...comparison.warnings.map(warning => paint('yellow', `! ${warning}`)),
    '',
    paint('dim', titles),
    ...rows,
  ]
  return `${lines.map(line => plainSpaces(safeLine(line))).join('\n')}\n`
}

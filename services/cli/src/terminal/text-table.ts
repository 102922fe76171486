import { padEnd, padStart, widthOf } from './width.ts'

export interface TextColumn {
  readonly title: string
  /** Words stand left; numbers stand right. */
  readonly left?: boolean
  /** Columns with a higher number go first when the terminal is too narrow; without one a column stays. */
  readonly spare?: number
}

const gap = '  '

function widths(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): number[] {
  return columns.map(({ title }, i) => Math.max(widthOf(title), ...rows.map(row => widthOf(row[i] ?? ''))))
}

/** Lines of equal shape, the first of them the titles. */
export function textTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  most = Number.POSITIVE_INFINITY,
): string[] {
  const all = widths(columns, rows)
  let kept = columns.map((_, i) => i)
  const total = () => kept.reduce((sum, i) => sum + (all[i] ?? 0) + gap.length, -gap.length)
  while (total() > most) {
    const spare = kept.filter(i => columns[i]?.spare !== undefined)
    if (spare.length === 0) break
    const next = spare.reduce((a, b) => ((columns[b]?.spare ?? 0) >= (columns[a]?.spare ?? 0) ? b : a))
    kept = kept.filter(i => i !== next)
  }
  const line = (cells: readonly string[]) =>
    kept
      .map(i => (columns[i]?.left ? padEnd : padStart)(cells[i] ?? '', all[i] ?? 0))
      .join(gap)
      .trimEnd()
  return [columns.map(({ title }) => title), ...rows].map(line)
}

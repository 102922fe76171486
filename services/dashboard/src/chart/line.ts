import type { Ink } from './ink.ts'

export type Value = number | null | undefined

/** One course in a chart. */
export interface Line {
  readonly key: string
  /** In the legend, which has to explain itself. */
  readonly label: string
  /** What the label leaves out. */
  readonly hint?: string
  readonly ink: Ink
  /** One entry per position: `null` where nothing was measured, `undefined` where this line has no point of its own. */
  readonly values: readonly Value[]
  readonly dashed?: boolean
  /** Holds each value until the next, as a plan does. */
  readonly stepped?: boolean
  /** Fills down to the ground, or to the line with this key. */
  readonly fillTo?: 'ground' | (string & {})
  readonly opacity?: number
  readonly width?: number
  readonly axis?: 'left' | 'right'
  /** What the legend says, where it is not the height that is drawn (of what is stacked). */
  readonly said?: readonly Value[]
}

/** The position nearest to `at` in rising `xs`; -1 where there are none. */
export function nearestIndex(xs: readonly number[], at: number): number {
  let low = 0
  let high = xs.length - 1
  if (high < 0) return -1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((xs[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  const before = xs[low - 1]
  return before !== undefined && at - before <= Math.abs((xs[low] ?? 0) - at) ? low - 1 : low
}

/** What a line says at a position: of a plan what holds there, else the nearest that was measured. */
export function valueAt({ values, said = values, stepped }: Line, xs: readonly number[], at: number): Value {
  const index = nearestIndex(xs, at)
  if (index < 0) return undefined
  let before = index
  while (before >= 0 && (said[before] === undefined || (stepped === true && (xs[before] ?? 0) > at))) before--
  if (stepped === true) return said[before]
  let after = index
  while (after < said.length && said[after] === undefined) after++
  if (before < 0) return said[after]
  if (after >= said.length) return said[before]
  return at - (xs[before] ?? 0) <= (xs[after] ?? 0) - at ? said[before] : said[after]
}

/** Where the last was measured; a plan goes on beyond it. */
export function lastMeasured(lines: readonly Line[], xs: readonly number[]): number | undefined {
  const measured = lines.filter(({ stepped }) => stepped !== true)
  return xs.findLast((_, i) => measured.some(({ values }) => values[i] !== undefined && values[i] !== null))
}

import { durationMs } from '@onrush/protocol/duration'
import type { Threshold } from '@onrush/protocol/threshold'

export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!='
export const statistics = ['avg', 'min', 'med', 'max', 'p', 'count', 'rate', 'value'] as const
export type Statistic = (typeof statistics)[number]
export const selectorKeys = ['step', 'scenario', 'group', 'status', 'outcome', 'kind', 'check', 'tag'] as const
export type SelectorKey = (typeof selectorKeys)[number]

/** `duration{step:log in}`: a metric, and which part of it. Keys are not checked here. */
export interface Target {
  readonly metric: string
  readonly selectors: readonly { readonly key: string; readonly value: string }[]
}

/** `p(95)<500`, over a window, after a warm-up. */
export interface Check {
  readonly text: string
  readonly statistic: string
  readonly percent: number | undefined
  readonly comparison: Comparison
  readonly limit: number
  readonly overMs: number | undefined
  readonly afterMs: number
  readonly abort: boolean
}

const targetShape = /^\s*([^{}\s]+)\s*(?:\{(.*)\})?\s*$/s
// A value goes on to the next `, key:` or the end, so that it may hold commas, colons and spaces of its own.
const selectorShape = /\s*([a-z_]+)\s*:\s*(?:"([^"]*)"|(.*?))\s*(?:,(?=\s*[a-z_]+\s*:)|$)/gsy

/** Nothing when the text has another shape. */
export function parseTarget(text: string): Target | undefined {
  const found = targetShape.exec(text)
  const metric = found?.[1]
  if (found === null || metric === undefined) return undefined
  const inner = found[2]
  if (inner === undefined) return { metric, selectors: [] }
  const selectors: { key: string; value: string }[] = []
  selectorShape.lastIndex = 0
  while (selectorShape.lastIndex < inner.length) {
    const part = selectorShape.exec(inner)
    const key = part?.[1]
    if (part === null || key === undefined) return undefined
    selectors.push({ key, value: part[2] ?? part[3] ?? '' })
  }
  return { metric, selectors }
}

const checkShape = /^\s*([a-z]+)(?:\((\d+(?:\.\d+)?)\))?\s*(<=|>=|<|>|==|!=)\s*(-?\d+(?:\.\d+)?)\s*$/

function comparisonOf(text: string | undefined): Comparison | undefined {
  const comparisons: readonly Comparison[] = ['<', '<=', '>', '>=', '==', '!=']
  return comparisons.find(each => each === text)
}

export function parseCheck(threshold: Threshold): Check | undefined {
  const options = typeof threshold === 'string' ? { check: threshold } : threshold
  const found = checkShape.exec(options.check)
  const comparison = comparisonOf(found?.[3])
  const statistic = found?.[1]
  if (found === null || comparison === undefined || statistic === undefined) return undefined
  return {
    text: options.check.trim(),
    statistic,
    percent: found[2] === undefined ? undefined : Number(found[2]),
    comparison,
    limit: Number(found[4]),
    overMs: options.over === undefined ? undefined : durationMs(options.over),
    afterMs: options.after === undefined ? 0 : durationMs(options.after),
    abort: options.abort ?? false,
  }
}

export function holds(value: number, { comparison, limit }: Pick<Check, 'comparison' | 'limit'>): boolean {
  switch (comparison) {
    case '<':
      return value < limit
    case '<=':
      return value <= limit
    case '>':
      return value > limit
    case '>=':
      return value >= limit
    case '==':
      return value === limit
    case '!=':
      return value !== limit
    default:
      return comparison satisfies never
  }
}

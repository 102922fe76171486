import { nearest, suggest } from '@onrush/protocol/nearest'
import type { Fault } from '@onrush/protocol/problem'
import type { Threshold, Thresholds } from '@onrush/protocol/threshold'
import { catalogue, customCatalogue, isBuiltIn, type MetricShape } from './metric-catalogue.ts'
import { builtInMetrics, type CustomKind } from './metric-names.ts'
import { parseCheck, parseTarget, type Target } from './threshold-expression.ts'

/** What a simulation holds, as far as thresholds can speak of it. */
export interface Known {
  readonly steps: readonly string[]
  readonly scenarios: readonly string[]
  readonly groups: readonly string[]
  readonly checks: readonly string[]
  readonly metrics: readonly { readonly name: string; readonly kind: CustomKind }[]
  /** Functions among the steps may make metrics, steps and checks that no list knows: only near misses are faults then. */
  readonly open: boolean
}

function shapeOf(metric: string, known: Known): MetricShape | undefined {
  if (isBuiltIn(metric)) return catalogue[metric]
  const custom = known.metrics.find(({ name }) => name === metric)
  return custom === undefined ? undefined : customCatalogue[custom.kind]
}

function isUnknown(name: string, names: readonly string[], open: boolean): boolean {
  return !names.includes(name) && (!open || nearest(name, names) !== undefined)
}

function namesFor(key: string, known: Known): readonly string[] | undefined {
  switch (key) {
    case 'step':
      return known.steps
    case 'scenario':
      return known.scenarios
    case 'group':
      return known.groups
    case 'check':
      return known.checks
    case 'outcome':
      return ['ok', 'ko']
    default:
      return undefined
  }
}

function checkSelectors(target: Target, shape: MetricShape, known: Known): string[] {
  return target.selectors.flatMap(({ key, value }): string[] => {
    const part = `"${key}:${value}"`
    if (!shape.selectors.some(each => each === key)) {
      const which =
        shape.selectors.length === 0 ? 'takes no selector' : `can be selected by ${shape.selectors.join(', ')}`
      return [`${part}: ${target.metric} ${which}; ${suggest(key, shape.selectors)}`]
    }
    if (key === 'status' && !/^\d{1,3}$|^\dxx$/.test(value)) {
      return [`${part}: expected a status like 404, or a class like 5xx`]
    }
    if (key === 'tag' && !/^[^=]+=/.test(value)) return [`${part}: expected a tag like tag:region=eu`]
    const names = namesFor(key, known)
    const open = known.open && key !== 'outcome' && key !== 'scenario'
    if (names === undefined || !isUnknown(value, names, open)) return []
    return [
      `${part}: there is no ${key} "${value}"; ${names.length === 0 ? `no ${key} is known` : suggest(value, names)}`,
    ]
  })
}

function checkStatistic(threshold: Threshold, shape: MetricShape, metric: string): string[] {
  const check = parseCheck(threshold)
  if (check === undefined) return ['expected a check like "p(95)<500"']
  const { statistic, percent } = check
  const shown = shape.statistics.map(each => (each === 'p' ? 'p(n)' : each))
  if (!shape.statistics.some(each => each === statistic)) {
    return [`${metric} has no "${statistic}"; it has ${shown.join(', ')}`]
  }
  if (statistic === 'p' && (percent === undefined || percent <= 0 || percent > 100)) {
    return ['expected a percentile above 0 and up to 100, like p(95) or p(99.9)']
  }
  if (statistic !== 'p' && percent !== undefined) return [`only p takes a number, got ${statistic}(${percent})`]
  if (check.overMs !== undefined && check.overMs < 1000) return ['expected a window "over" of at least 1s']
  return []
}

function unknownMetric(metric: string, known: Known): string | undefined {
  const names = [...builtInMetrics, ...known.metrics.map(({ name }) => name)]
  if (known.open && nearest(metric, names) === undefined) return undefined
  const near = nearest(metric, names)
  return `there is no metric "${metric}"; ${near === undefined ? '' : `did you mean "${near}"? `}known are ${names.join(', ')}`
}

/** Every metric, selector and statistic that does not exist, each with what does. */
export function checkThresholds(thresholds: Thresholds, known: Known): Fault[] {
  return Object.entries(thresholds).flatMap(([text, list]): Fault[] => {
    const path = `$.thresholds[${JSON.stringify(text)}]`
    const target = parseTarget(text)
    if (target === undefined) {
      return [{ path, message: `expected a metric like "duration" or "duration{step:log in}", got "${text}"` }]
    }
    const shape = shapeOf(target.metric, known)
    if (shape === undefined) {
      const message = unknownMetric(target.metric, known)
      return message === undefined ? [] : [{ path, message }]
    }
    return [
      ...checkSelectors(target, shape, known).map(message => ({ path, message })),
      ...list.flatMap((threshold, i) =>
        checkStatistic(threshold, shape, target.metric).map(message => ({ path: `${path}[${i}]`, message })),
      ),
    ]
  })
}

import type { Fault } from '@onrush/protocol/problem'

/** What every start may say, whatever it starts. */
export interface Common {
  readonly workers: 'idle' | 'all' | 'some' | 'these'
  readonly howMany: string
  readonly ids: readonly string[]
  readonly thresholds: string
  /** Shows requests and responses while it runs. */
  readonly verbose: boolean
  readonly onWorkerLoss: '' | 'fail'
}

export const firstCommon: Common = {
  workers: 'idle',
  howMany: '1',
  ids: [],
  thresholds: '',
  verbose: false,
  onWorkerLoss: '',
}

const form = /^(.+?)\s+([a-z]+(?:\([\d.]+\))?\s*(?:<=|>=|<|>|==|!=)\s*-?[\d.]+)$/

function thresholdsOf(text: string, faults: Fault[]): Record<string, string[]> | undefined {
  const thresholds: Record<string, string[]> = {}
  for (const line of text.split('\n').map(each => each.trim())) {
    if (line === '') continue
    const found = form.exec(line)
    const [, metric, check] = found ?? []
    if (metric === undefined || check === undefined)
      faults.push({
        path: '$.thresholds',
        message: `expected a metric and a check, like "duration p(95)<500", got "${line}"`,
      })
    else thresholds[metric] = [...(thresholds[metric] ?? []), check]
  }
  return Object.keys(thresholds).length === 0 ? undefined : thresholds
}

function workersOf({ workers, howMany, ids }: Common): unknown {
  switch (workers) {
    case 'idle':
      return undefined
    case 'all':
      return 'all'
    case 'some':
      return Number.isFinite(Number(howMany)) ? Number(howMany) : howMany
    case 'these':
      return ids
    default:
      return workers satisfies never
  }
}

export function commonOf(common: Common, faults: Fault[]): Record<string, unknown> {
  return {
    workers: workersOf(common),
    thresholds: thresholdsOf(common.thresholds, faults),
    verbose: common.verbose || undefined,
    onWorkerLoss: common.onWorkerLoss,
  }
}

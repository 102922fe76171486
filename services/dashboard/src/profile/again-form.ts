import { check } from '@onrush/protocol/check'
import type { Report } from '@onrush/protocol/report'
import { Simulation } from '@onrush/protocol/simulation'
import { firstCommon } from './common-form.ts'
import { draftsOf } from './draft.ts'
import type { SingleForm } from './single-form.ts'

export type AgainForm =
  | { readonly kind: 'none' }
  | { readonly kind: 'simulation'; readonly name: string; readonly environment: string | undefined }
  | { readonly kind: 'single'; readonly form: SingleForm }

function specOf(source: string | undefined): Simulation | undefined {
  if (source === undefined) return undefined
  try {
    const checked = check(Simulation, JSON.parse(source))
    return checked.ok ? checked.value : undefined
  } catch {
    // A script, not data: it is known by its name.
    return undefined
  }
}

const linesOf = (headers: Readonly<Record<string, unknown>> = {}) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

const operators: Readonly<Record<string, string>> = {
  $eq: '=',
  $ne: '!=',
  $lt: '<',
  $lte: '<=',
  $gt: '>',
  $gte: '>=',
  $regex: '~',
}

/** As the form writes assertions; the few that have no such form are left out. */
function assertLines(assert: unknown): string {
  if (typeof assert !== 'object' || assert === null) return ''
  return Object.entries(assert)
    .flatMap(([path, wanted]) => {
      if (typeof wanted !== 'object' || wanted === null) return [`${path} = ${JSON.stringify(wanted)}`]
      return Object.entries(wanted).flatMap(([name, value]) => {
        const sign = operators[name]
        if (sign === undefined) return []
        return [`${path} ${sign} ${typeof value === 'string' && sign === '~' ? value : JSON.stringify(value)}`]
      })
    })
    .join('\n')
}

/** What the form has to hold to begin a past run again. */
export function againOf({ run }: Report): AgainForm {
  const spec = specOf(run.simulation.source)
  const [step] = spec?.scenarios[0]?.steps ?? []
  const inject = run.populations[0]?.inject
  if (run.kind !== 'single' || step?.type !== 'http' || inject === undefined) {
    return {
      kind: 'simulation',
      name: run.simulation.file?.replace(/\.[a-z]+$/, '') ?? run.name,
      environment: run.environment.name,
    }
  }
  const thresholds = Object.entries(run.thresholds ?? {}).flatMap(([metric, checks]) =>
    checks.map(each => `${metric} ${typeof each === 'string' ? each : each.check}`),
  )
  return {
    kind: 'single',
    form: {
      name: step.name,
      url: step.url,
      method: step.method ?? 'GET',
      headers: linesOf(step.headers),
      body:
        step.body === undefined ? '' : typeof step.body === 'string' ? step.body : JSON.stringify(step.body, null, 2),
      assert: assertLines(step.assert),
      inject: draftsOf(inject),
      common: { ...firstCommon, thresholds: thresholds.join('\n') },
    },
  }
}

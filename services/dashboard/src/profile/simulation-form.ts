import { check } from '@onrush/protocol/check'
import type { Fault } from '@onrush/protocol/problem'
import { SimulationRequest } from '@onrush/protocol/run-request'
import { type Common, commonOf } from './common-form.ts'
import { type DraftStep, injectionOf } from './draft.ts'

export interface SimulationForm {
  readonly simulation: string
  readonly environment: string
  /** By name; empty where the script's own holds. */
  readonly variables: Readonly<Record<string, string>>
  /** In place of the script's own load. */
  readonly inject: readonly DraftStep[] | undefined
  readonly common: Common
}

/** A number, a list or true where it is written so; text otherwise. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON, so it means itself.
    return text
  }
}

export function simulationRequestOf(form: SimulationForm): { body: Record<string, unknown>; faults: readonly Fault[] } {
  const faults: Fault[] = []
  const variables = Object.entries(form.variables).flatMap(([name, text]) =>
    text.trim() === '' ? [] : [[name, jsonOrText(text)]],
  )
  const all = {
    simulation: form.simulation,
    environment: form.environment,
    variables: variables.length === 0 ? undefined : Object.fromEntries(variables),
    inject: form.inject?.map(injectionOf),
    ...commonOf(form.common, faults),
  }
  const body = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ''))
  const checked = check(SimulationRequest, body)
  return { body, faults: checked.ok ? faults : [...faults, ...checked.faults] }
}

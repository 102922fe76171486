import { jsonPath } from '@onrush/protocol/json-path'
import { suggest } from '@onrush/protocol/nearest'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import { everyStep, type Path } from '../every-step.ts'

type Scenario = Simulation['scenarios'][number]

const expression = /\{\{(.*?)\}\}/gs
const reference = /\$\._s(?:\.([\p{L}_][\p{L}\p{N}_-]*)|\['([^']+)'\])/gu

/** The variables that a text cannot do without; one with a default (`??`) may be missing. */
function needed(text: string): string[] {
  return [...text.matchAll(expression)]
    .filter(([, inner = '']) => !inner.includes('??'))
    .flatMap(([, inner = '']) => [...inner.matchAll(reference)].map(([, name, quoted]) => name ?? quoted ?? ''))
}

function* textsIn(value: unknown, path: Path): Generator<readonly [string, Path]> {
  if (typeof value === 'string') yield [value, path]
  else if (Array.isArray(value)) for (const [i, each] of value.entries()) yield* textsIn(each, [...path, i])
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) yield* textsIn(each, [...path, key])
}

function exportedBy(scenario: Scenario, path: Path): string[] {
  return [...everyStep(scenario.steps, path)].flatMap(([step]) =>
    'export' in step && step.export !== undefined
      ? Object.entries(step.export)
          .filter(([, rule]) => typeof rule === 'string' || rule.scope !== '_j')
          .map(([name]) => name)
      : [],
  )
}

/** Nested steps come up by themselves; they are not a part of the step that holds them. */
const nested = new Set(['steps', 'then', 'else', 'of'])

/**
 * Refuses references to `_s` that nothing in the scenario gives: a misspelt column would fail every session. Code may
 * set what it likes, so a scenario with a code step is not judged.
 */
export function checkVariables(scenario: Scenario, columns: readonly string[], path: Path, faults: Fault[]): void {
  const stepsPath = [...path, 'steps']
  const steps = [...everyStep(scenario.steps, stepsPath)]
  if (steps.some(([step]) => step.type === 'code')) return
  const known = new Set([...columns, ...Object.keys(scenario.imports ?? {}), ...exportedBy(scenario, stepsPath)])
  for (const [step, here] of steps) {
    for (const [field, value] of Object.entries(step)) {
      if (nested.has(field)) continue
      for (const [text, place] of textsIn(value, [...here, field])) {
        for (const name of needed(text)) {
          if (known.has(name)) continue
          const hint = known.size === 0 ? 'it has none at all' : suggest(name, [...known])
          faults.push({
            path: jsonPath(place),
            message: `nothing in this scenario gives $._s.${name}: no column, import or export (${hint})`,
          })
        }
      }
    }
  }
}

import { suggest } from '@onrush/protocol/nearest'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import type { Step } from '@onrush/protocol/step'

type Scenario = Simulation['scenarios'][number]

/** What stands between braces, and in it a variable of the scenario that has no default. */
const template = /\{\{(.*?)\}\}/g
const variable = /\$\._s(?:\.([A-Za-z_]\w*)\b|\['([^']+)'\])(?!\s*\?\?)/g

/**
 * Variables that a scenario with a feed uses and that nothing gives it: no column, no import, no export. With a step
 * of code nobody can tell, because code sets what it likes.
 */
export function checkColumns(scenario: Scenario, columns: readonly string[], where: string, faults: Fault[]): void {
  const given = new Set([...columns, ...Object.keys(scenario.imports ?? {})])
  if (!collectExports(scenario.steps, given)) return
  for (const [name, place] of used(scenario.steps, `${where}.steps`)) {
    if (given.has(name)) continue
    const message = `$._s.${name} is no column of the feed, and no import or export of this scenario (${suggest(name, [...given])})`
    faults.push({ path: place, message })
  }
}

/** `false` where a step may give names that cannot be seen. */
function collectExports(steps: readonly Step[], given: Set<string>): boolean {
  for (const step of steps) {
    switch (step.type) {
      case 'code':
        return false
      case 'group':
      case 'repeat':
      case 'during':
        if (!collectExports(step.steps, given)) return false
        break
      case 'when':
        if (!collectExports([...step.then, ...(step.else ?? [])], given)) return false
        break
      case 'choose':
        for (const branch of step.of) if (!collectExports(branch.steps, given)) return false
        break
      case 'http':
      case 'sql':
      case 'grpc':
      case 'jsonrpc':
        for (const name of Object.keys(step.export ?? {})) given.add(name)
        break
      case 'pause':
      case 'pace':
        break
      default:
        step satisfies never
    }
  }
  return true
}

/** Each name once, with the step that uses it first. */
function used(steps: readonly Step[], where: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const [i, step] of steps.entries()) {
    for (const [, inside = ''] of JSON.stringify(step).matchAll(template)) {
      for (const [, plain, quoted] of inside.matchAll(variable)) {
        const name = plain ?? quoted ?? ''
        if (!names.has(name)) names.set(name, `${where}[${i}]`)
      }
    }
  }
  return names
}

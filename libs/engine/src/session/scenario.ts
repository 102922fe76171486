import { compileImports, type Imports } from '@onrush/context/imports'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import type { CompileScope } from '../steps/compile-scope.ts'
import { compileSteps } from '../steps/compile-steps.ts'
import type { RunStep } from '../steps/run-step.ts'
import type { Rows } from './rows.ts'

/** A scenario compiled for a thread. */
export interface CompiledScenario {
  readonly name: string
  readonly imports: Imports | undefined
  readonly rows: Rows | undefined
  readonly steps: RunStep
}

export function compileScenario(
  scenario: Simulation['scenarios'][number],
  scope: CompileScope,
  rows: Rows | undefined,
  where: string,
  faults: Fault[],
): CompiledScenario {
  const { imports } = scenario
  return {
    name: scenario.name,
    imports: imports === undefined ? undefined : compileImports(imports, `${where}.imports`, faults),
    rows,
    steps: compileSteps(scenario.steps, scope, `${where}.steps`),
  }
}

import type { RunHeader } from './run-log.ts'
import type { Simulation } from './simulation.ts'
import type { Step } from './step.ts'

type Place = NonNullable<RunHeader['steps']>[number]

function* names(steps: readonly Step[]): Generator<string> {
  for (const step of steps) {
    switch (step.type) {
      case 'group':
      case 'repeat':
      case 'during':
        yield* names(step.steps)
        break
      case 'when':
        yield* names(step.then)
        yield* names(step.else ?? [])
        break
      case 'choose':
        for (const branch of step.of) yield* names(branch.steps)
        break
      case 'pause':
      case 'pace':
        break
      default:
        yield step.name
    }
  }
}

/** The steps as the script lists them, which is how people think of them. */
export function stepOrder({ scenarios }: Pick<Simulation, 'scenarios'>): Place[] {
  return scenarios.flatMap(({ name, steps }) => [...new Set(names(steps))].map(step => ({ scenario: name, step })))
}

/** Those of the script in its order; what code named at run time follows by name. */
export function inScriptOrder<Row extends Place>(rows: readonly Row[], order: readonly Place[] = []): Row[] {
  const key = ({ scenario, step }: Place) => JSON.stringify([scenario, step])
  const ranks = new Map(order.map((place, i) => [key(place), i]))
  const rank = (row: Row) => ranks.get(key(row)) ?? ranks.size
  return rows.toSorted((a, b) => rank(a) - rank(b) || (key(a) < key(b) ? -1 : 1))
}

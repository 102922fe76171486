import type { Step } from '@onrush/protocol/step'

export type Path = readonly (string | number)[]

/** Every step, however deep it lies, with its path; a step before those inside of it. */
export function* everyStep(steps: readonly Step[], path: Path): Generator<readonly [Step, Path]> {
  for (const [i, step] of steps.entries()) {
    const here = [...path, i]
    yield [step, here]
    switch (step.type) {
      case 'group':
      case 'repeat':
      case 'during':
        yield* everyStep(step.steps, [...here, 'steps'])
        break
      case 'when':
        yield* everyStep(step.then, [...here, 'then'])
        yield* everyStep(step.else ?? [], [...here, 'else'])
        break
      case 'choose':
        for (const [j, branch] of step.of.entries()) yield* everyStep(branch.steps, [...here, 'of', j, 'steps'])
        break
      default:
    }
  }
}

import type { Summary } from '@onrush/protocol/summary'

/** How many requests of a step left, how many came back, and the difference: nobody here can tell whether they arrived. */
export interface StepInDoubt {
  readonly scenario: string
  readonly step: string
  readonly sent: number
  readonly answered: number
  readonly inDoubt: number
  /** Failed before anything left: refused, unresolved, not rendered. */
  readonly unsent: number
}

/** The steps whose requests did not all come back. What the target saw lies between `answered` and `sent`. */
export function stepsInDoubt({ steps }: Pick<Summary, 'steps'>): StepInDoubt[] {
  return steps.flatMap(({ scenario, step, count, service, status }) => {
    const sent = service?.count ?? 0
    const answered = status.reduce((sum, each) => sum + each.count, 0)
    const row = { scenario, step, sent, answered, inDoubt: sent - answered, unsent: count - sent }
    return row.inDoubt === 0 ? [] : [row]
  })
}

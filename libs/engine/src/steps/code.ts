import { RenderError } from '@onrush/context/render-error'
import { OnrushError } from '@onrush/protocol/error'
import type { CodeStep } from '@onrush/protocol/step'
import { errorWords } from '../error-words.ts'
import { CodeSteps, type RequestFromCode, SessionEnded, StepFailure } from './code-session.ts'
import type { CompileScope } from './compile-scope.ts'
import { countFailure } from './count-failure.ts'
import { groupWithin } from './group.ts'
import { microsBetween } from './micros.ts'
import type { RunStep } from './run-step.ts'

/**
 * Timed like a group, because its requests have rows of their own; it gets a row among the steps only when it fails by
 * itself, so that requests counted stay requests made.
 */
export function compileCode(
  step: CodeStep,
  scope: CompileScope,
  requestsOf: (inside: CompileScope) => RequestFromCode,
): RunStep {
  const group = groupWithin(scope.group, step.name)
  const timed = scope.workshop.recorder.group({ scenario: scope.scenario, group })
  const inside: CompileScope = { ...scope, group, onFailure: 'continue' }
  const request = requestsOf(inside)
  const stops = (step.onFailure ?? scope.onFailure) === 'stop'
  return async session => {
    const failedBefore = session.failed
    const began = session.due
    session.failed = false
    session.trace?.({ type: 'step', name: step.name, kind: 'code' })
    try {
      await step.run(new CodeSteps(session, inside, step.name, request))
    } catch (error) {
      if (!session.interrupted || !(error instanceof SessionEnded)) {
        const kind = error instanceof RenderError ? 'render' : 'code'
        countFailure({ step: step.name, kind, message: saidBy(error) }, session, scope)
        if (stops) session.over = true
      }
    }
    session.ended(performance.now())
    if (session.interrupted) return
    timed.record(!session.failed, microsBetween(began, session.due))
    session.failed ||= failedBefore
  }
}

/** With the place in the script, where the error is not a plain statement of the script's own. */
function saidBy(error: unknown): string {
  if (error instanceof StepFailure || error instanceof RenderError || error instanceof OnrushError) return error.message
  return errorWords(error)
}

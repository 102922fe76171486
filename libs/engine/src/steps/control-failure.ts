import type { RenderError } from '@onrush/context/render-error'
import type { Session } from '../session/session.ts'
import { countFailure, type FailureScope } from './count-failure.ts'

/** A reference outside of a request found nothing: counted like a step that could not be sent, and the session ends. */
export function controlFailed(error: RenderError, session: Session, step: string, scope: FailureScope): void {
  countFailure({ step, kind: 'render', message: error.message }, session, scope)
  session.over = true
}

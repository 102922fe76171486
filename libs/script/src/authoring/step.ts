import type { CodeFunction } from './code-types.ts'
import { placed } from './place.ts'
import type { CodeStep } from './step-types.ts'

export interface CodeOptions {
  /** What a failed step does to its session: `stop` (the default) ends it, `continue` goes on with the next step. */
  readonly onFailure?: 'stop' | 'continue'
}

/** A step of code, timed under its name: `step('sign', async session => { session.set('signature', …) })`. */
export function step(name: string, run: CodeFunction, options?: CodeOptions): CodeStep {
  return placed({ type: 'code', name, run, ...options })
}

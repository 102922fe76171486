import type { Assertion } from './assertion.ts'
import type { Exports } from './exports.ts'

/** What every request has, whatever its protocol. */
export interface RequestOptions {
  /** What the response must meet. Without one on `$.status`, an HTTP status of 400 or more fails the step. */
  readonly assert?: Assertion
  /** Variables to keep: `{ token: '$.entity.token' }`. */
  readonly export?: Exports
  /** What a failed step does to its session: `stop` (the default) ends it, `continue` goes on with the next step. */
  readonly onFailure?: 'stop' | 'continue'
  /** Whether `{{$.…}}` inside responses is rendered too (the default is the simulation's, which is true). */
  readonly renderResponses?: boolean
  /** Tags to select by in thresholds. */
  readonly tags?: { readonly [tag: string]: string }
}

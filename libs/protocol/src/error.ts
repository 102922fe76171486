import { type Code, codes } from './codes.ts'
import type { Fault, Problem } from './problem.ts'

/** The one error that is meant for people: a code to branch on, a sentence to act on, and every fault with its place. */
export class OnrushError extends Error {
  override readonly name = 'OnrushError'
  readonly code: Code
  readonly errors: readonly Fault[]

  constructor(code: Code, detail: string, options: { errors?: readonly Fault[]; cause?: unknown } = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.errors = options.errors ?? []
  }
}

export function toProblem(error: OnrushError, instance?: string): Problem {
  return {
    type: `urn:onrush:problem:${error.code}`,
    title: error.code.replaceAll('_', ' '),
    status: codes[error.code],
    code: error.code,
    detail: error.message,
    ...(instance === undefined ? {} : { instance }),
    ...(error.errors.length === 0 ? {} : { errors: [...error.errors] }),
  }
}

/** The inverse, for whoever called: an answer in our shape becomes the same error again on this side. */
export function fromProblem(problem: Problem): OnrushError {
  return new OnrushError(problem.code, problem.detail, problem.errors === undefined ? {} : { errors: problem.errors })
}

import type { Fault } from '@onrush/protocol/problem'
import type { RequestStep } from '@onrush/protocol/step'
import type { ErrorKind } from './error-kind.ts'
import type { Measured } from './measured.ts'
import type { Session } from './session/session.ts'

/** Did the target see the request? What is neither unsent nor answered is in doubt. */
export type Reach = 'unsent' | 'in-doubt' | 'answered'

/** One request that was followed by another of the same step, such as a redirect. */
export interface Hop extends Pick<Measured, 'sentAt' | 'endedAt' | 'bytesIn' | 'bytesOut'> {
  readonly status: number
}

/** What came of a request, whatever its protocol. A failed request is data. */
export interface Outcome extends Measured {
  /** Set when there is nothing to assert on. */
  readonly failure: { readonly kind: ErrorKind; readonly message: string } | undefined
  readonly answer: { readonly reach: Reach; readonly status: number }
  /**
   * The target answered with a failure of the protocol's own (`grpc:NOT_FOUND`, `sql:23505`, `rpc:-32601`). Like a
   * status of `failsFrom` or more, it fails the step unless an assertion reads `$.status`.
   */
  readonly refusal?: { readonly kind: ErrorKind; readonly message: string } | undefined
  readonly hops: readonly Hop[]
}

/** A request step compiled for a thread. */
export interface RequestRunner {
  /**
   * Renders, calls `session.sending()`, sends, and puts the response into the session's context. Throws `RenderError`
   * when a reference finds nothing, before anything is sent; never rejects for what the network or the target did.
   */
  run(session: Session): Promise<Outcome>
  /**
   * Puts the response into the context, for a runner whose `run` has not. A promise for that alone would cost each of ten
   * thousand waiting sessions half a kilobyte.
   */
  receive?(outcome: Outcome, session: Session): void
}

/** Where a protocol plugs in: one per thread. Http is one; SQL, gRPC and JSON-RPC stand beside it. */
export interface Protocol {
  compile(step: RequestStep, where: string, faults: Fault[]): RequestRunner | undefined
  /** All steps are compiled: opens what they need before the load begins. */
  prepare?(faults: Fault[]): Promise<void>
  /** A session has ended: what it alone used can go. */
  endSession(session: Session): void
  close(): Promise<void>
  /** From this status on, a step without an assertion on `$.status` has failed. */
  readonly failsFrom: number
}

import type { Reply } from './reply.ts'

/** One connection, used by one statement or transaction at a time. Failures are the driver's errors. */
export interface Link {
  run(text: string, values: readonly unknown[]): Promise<Reply>
  begin(): Promise<unknown>
  commit(): Promise<unknown>
  rollback(): Promise<unknown>
  /** After a statement was ended by order: resolves when no order can meet the next statement any more. */
  settle(): Promise<unknown>
  /** False once the connection has ended or failed. */
  readonly usable: boolean
  /** True when the last statement has left a transaction open, as far as the driver tells. */
  readonly inTransaction: boolean
  readonly bytesIn: number
  readonly bytesOut: number
}

/** A database as one thread sees it: what its driver has of its own. */
export interface Database {
  open(): Promise<Link>
  /** Ends a connection at once, whatever it does. */
  discard(link: Link, why: string): void
  /**
   * Ends the statement that a link is running, over a connection of its own, and resolves when the order has arrived;
   * `undefined` where a statement cannot be ended.
   */
  readonly cancel: ((link: Link) => Promise<void>) | undefined
  close(): Promise<void>
}

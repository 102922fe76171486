import type { Reply } from './reply.ts'

/** One connection, used by one statement or transaction at a time. Failures are the driver's errors. */
export interface Link {
  run(text: string, values: readonly unknown[]): Promise<Reply>
  begin(): Promise<unknown>
  commit(): Promise<unknown>
  rollback(): Promise<unknown>
  /**
   * Ends the statement that is running, over a connection of its own, and resolves when the order has arrived;
   * `undefined` where a statement cannot be ended.
   */
  readonly cancel: (() => Promise<void>) | undefined
  /** After a statement was ended by order: resolves when no order can meet the next statement any more. */
  settle(): Promise<unknown>
  /** Ends the connection at once, whatever it does. */
  discard(why: string): void
  /** False once the connection has ended or failed. */
  readonly usable: boolean
  /** True when the last statement has left a transaction open, as far as the driver tells. */
  readonly inTransaction: boolean
  readonly bytesIn: number
  readonly bytesOut: number
}

/** A database as one thread sees it. */
export interface Database {
  open(): Promise<Link>
  close(): Promise<void>
}

import type { Times } from '@onrush/context/context'
import type { ErrorKind } from '../error-kind.ts'
import { WheelEntry } from '../http/deadline-wheel.ts'
import type { Outcome, Reach } from '../protocol.ts'
import type { Session } from '../session/session.ts'
import { allOf } from './all-of.ts'
import type { Link } from './database.ts'
import type { Waiter } from './link-pool.ts'
import type { OpenConnection } from './open-connection.ts'
import type { Reply } from './reply.ts'
import { toSqlFailure } from './sql-failure.ts'
import type { Work } from './sql-work.ts'

/** How long an ended statement may take to say so before its connection is given up. */
const patienceMs = 5000
const none: readonly never[] = Object.freeze([])

type Failure = { readonly kind: ErrorKind; readonly message: string }

/**
 * One step's way: it waits for a connection, runs, and is over. For its session it can be over before its connection is
 * free: a statement that is cut has to be ended first.
 */
export class SqlExchange extends WheelEntry implements Waiter {
  readonly #at: OpenConnection
  readonly #session: Session
  readonly #work: Work
  readonly #timeoutMs: number
  readonly #resolve: (outcome: Outcome) => void
  #link: Link | undefined = undefined
  #running: Promise<void> | undefined = undefined
  #isOver = false
  #sentAt = 0
  #connectMicros = 0
  #bytesIn = 0
  #bytesOut = 0

  constructor(
    at: OpenConnection,
    session: Session,
    work: Work,
    timeoutMs: number,
    resolve: (outcome: Outcome) => void,
  ) {
    super()
    this.#at = at
    this.#session = session
    this.#work = work
    this.#timeoutMs = timeoutMs
    this.#resolve = resolve
  }

  begin(): void {
    if (this.#session.interrupted) {
      this.interrupt()
      return
    }
    this.#at.interrupts.watch(this.#session.signal, this)
    const link = this.#at.pool.take(this)
    if (link !== undefined) this.granted(link, 0)
  }

  granted(link: Link, connectMicros: number): void {
    this.#link = link
    this.#connectMicros = connectMicros
    this.#bytesIn = link.bytesIn
    this.#bytesOut = link.bytesOut
    this.#sentAt = performance.now()
    const { statements, isTransaction } = this.#work
    const [only] = statements
    const reply =
      isTransaction || only === undefined
        ? allOf(statements, link, () => this.#isOver)
        : link.run(only.text, only.values)
    this.#running = reply.then(this.#succeeded, this.#failed)
  }

  refused(error: unknown): void {
    const { kind, message } = toSqlFailure(error, 'tcp')
    this.#over({ kind, message: `${this.#at.name}: ${message}` }, 'unsent')
  }

  expire(): void {
    const { pool, most, name } = this.#at
    const within = `within ${Math.round(this.#timeoutMs)} ms`
    if (this.#link !== undefined) this.#cut({ kind: 'timeout_total', message: `no answer ${within}` })
    else if (pool.inUse > 0) {
      const message = `none of the ${most} connections of this thread to ${name} was free ${within}`
      this.#unsent({ kind: 'sql:pool_timeout', message })
    } else this.#unsent({ kind: 'timeout_connect', message: `no connection to ${name} ${within}` })
  }

  interrupt(): void {
    const failure = { kind: 'interrupted', message: 'the run ended while this statement was under way' } as const
    if (this.#link === undefined) this.#unsent(failure)
    else this.#cut(failure)
  }

  #unsent(failure: Failure): void {
    this.#at.pool.forget(this)
    this.#over(failure, 'unsent')
  }

  readonly #succeeded = (reply: Reply): void => {
    const link = this.#link
    if (link === undefined || this.#isOver) return
    if (link.inTransaction) {
      this.#leftOpen(link)
      return
    }
    const endedAt = performance.now()
    this.#session.context.sqlResult(() => reply.entity(), this.#times(endedAt))
    this.#answered(0, undefined, endedAt, link)
  }

  readonly #failed = (error: unknown): void => {
    const link = this.#link
    if (link === undefined || this.#isOver) return
    const endedAt = performance.now()
    const { kind, message, code } = toSqlFailure(error, 'exchange')
    if (code === undefined) {
      this.#over({ kind, message }, kind === 'render' ? 'unsent' : 'in-doubt')
      if (kind === 'render') this.#at.pool.give(link)
      else this.#at.pool.discard(link, message)
      return
    }
    this.#session.context.sqlFailure(code, message, this.#times(endedAt))
    this.#answered(1, { kind, message }, endedAt, link)
  }

  /** A `BEGIN` of its own would have the statements of other sessions in its transaction. */
  #leftOpen(link: Link): void {
    const endedAt = performance.now()
    const message =
      'the statement left a transaction open, which was rolled back; statements of one transaction go into one step, "transaction"'
    this.#session.context.sqlFailure('open_transaction', message, this.#times(endedAt))
    this.#answered(1, { kind: 'sql:open_transaction', message }, endedAt, link)
  }

  /** Gives a connection back when it has done something more, or gives it up. */
  #freed(link: Link, more: Promise<unknown>): Promise<void> {
    return more.then(
      () => this.#at.pool.give(link),
      (error: unknown) => this.#at.pool.discard(link, String(error)),
    )
  }

  /** Over for the session now; the connection is free when the statement has ended, by order if need be. */
  #cut(failure: Failure): void {
    const link = this.#link
    if (link === undefined || this.#isOver) return
    this.#over(failure, 'in-doubt')
    this.#at.ending(this.#end(link))
  }

  async #end(link: Link): Promise<void> {
    const { pool } = this.#at
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('it could not be ended')), patienceMs)
    try {
      await Promise.race([Promise.all([link.cancel?.(), this.#running]), late.promise])
      await Promise.race([link.settle(), late.promise])
      pool.give(link)
    } catch (error) {
      pool.discard(link, `a statement was cut: ${String(error)}`)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Over for the session first: from then on nothing but this gives the connection back. */
  #answered(status: 0 | 1, refusal: Failure | undefined, endedAt: number, link: Link): void {
    this.#finish(undefined, 'answered', status, refusal, endedAt)
    if (link.inTransaction) this.#at.ending(this.#freed(link, link.rollback()))
    else this.#at.pool.give(link)
  }

  #over(failure: Failure, reach: Reach): void {
    if (!this.#isOver) this.#finish(failure, reach, 0, undefined, performance.now())
  }

  #finish(
    failure: Failure | undefined,
    reach: Reach,
    status: number,
    refusal: Failure | undefined,
    endedAt: number,
  ): void {
    this.#isOver = true
    this.#at.wheel.remove(this)
    this.#at.interrupts.leave(this.#session.signal)
    const link = this.#link
    this.#resolve({
      failure,
      answer: { reach, status },
      refusal,
      hops: none,
      sentAt: link === undefined ? endedAt : this.#sentAt,
      endedAt,
      connectMicros: this.#connectMicros,
      tlsMicros: 0,
      firstByteMicros: 0,
      bytesIn: link === undefined ? 0 : link.bytesIn - this.#bytesIn,
      bytesOut: link === undefined ? 0 : link.bytesOut - this.#bytesOut,
    })
  }

  #times(endedAt: number): Times {
    const ms = endedAt - this.#sentAt
    const connect = Math.round(this.#connectMicros / 1000)
    return { request: Math.round(ms), micros: Math.round(ms * 1000), connect, firstByte: 0 }
  }
}

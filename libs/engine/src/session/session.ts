import { Context } from '@onrush/context/context'
import type { CookieJar } from '../http/cookie-jar.ts'
import type { ConnectionKey } from '../http/transport.ts'
import { microsBetween } from '../steps/micros.ts'
import type { Trace } from './trace.ts'

/** What the generator's own punctuality is counted in. */
export interface LagSink {
  sendLag(micros: number): void
}

/**
 * One virtual user's pass. Sessions are used again: ten thousand of them at once would otherwise leave ten thousand
 * contexts a second to the collector.
 */
export class Session {
  readonly context = new Context()
  /** Its number in its population, from 1: what its random numbers and rows follow from. */
  number = 0
  /** The instant its next request is due: when its arrival was, or when the step before ended, plus the planned wait. */
  due = 0
  /** No step follows: it failed, it was interrupted, or its rows are used up. */
  over = false
  /** A step of the current pass has failed. */
  failed = false
  interrupted = false
  /** It is over because no row was left for it. */
  rowless = false
  /** It ends with its current pass. */
  leaving = false
  /** Counts what gave way to other sessions, so that a loop without any wait can be told from one that has some. */
  waits = 0
  /** Whether the step that is under way renders its response, where it says so itself. */
  renderResponses: boolean | undefined = undefined
  trace: Trace | undefined = undefined

  cookies: CookieJar | undefined = undefined
  connections: ConnectionKey | undefined = undefined

  readonly #lag: LagSink
  // Whether `due` is an instant that the generator itself was to keep: only then is being late a fault of its own.
  #planned = false
  #abort: AbortController | undefined = undefined
  #timer: NodeJS.Timeout | undefined = undefined
  #wake: (() => void) | undefined = undefined
  #wakeAt = 0
  #paces: Map<object, number> | undefined = undefined

  constructor(lag: LagSink) {
    this.#lag = lag
  }

  /** Before each use. The abort signal stays unless it was used up. */
  reset(number: number): void {
    this.number = number
    this.over = false
    this.failed = false
    this.interrupted = false
    this.rowless = false
    this.leaving = false
    this.cookies = undefined
    this.connections = undefined
    this.#paces = undefined
    if (this.#abort?.signal.aborted) this.#abort = undefined
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    return this.#abort.signal
  }

  /** The next request is due at this instant, by plan. */
  plan(instant: number): void {
    this.due = instant
    this.#planned = true
  }

  /** A request was complete at this instant; without a planned wait the next one is due at once. */
  ended(instant: number): void {
    this.due = instant
    this.#planned = false
  }

  /** Called by a protocol between rendering and sending. */
  sending(): void {
    this.waits++
    this.context.beforeRequest(this.renderResponses)
    if (!this.#planned) return
    this.#planned = false
    this.#lag.sendLag(microsBetween(this.due, performance.now()))
  }

  /** Waits until an instant, or until the session is interrupted. */
  sleepUntil(instant: number): Promise<void> {
    this.waits++
    if (this.interrupted) return Promise.resolve()
    this.#wakeAt = instant
    return new Promise(resolve => {
      this.#wake = resolve
      this.sleepOn()
    })
  }

  /** The instant of this step's last turn in this session. */
  paceOf(step: object): number | undefined {
    return this.#paces?.get(step)
  }

  setPace(step: object, instant: number): void {
    this.#paces ??= new Map()
    this.#paces.set(step, instant)
  }

  /** Ends it now, wherever it is. */
  interrupt(): void {
    if (this.interrupted) return
    this.interrupted = true
    this.over = true
    clearTimeout(this.#timer)
    this.#awake()
    // Only one that was asked for has listeners; aborting all the others would create them first.
    this.#abort?.abort()
  }

  /** Called by its own timer. */
  sleepOn(): void {
    const left = this.#wakeAt - performance.now()
    // A timer counts from the loop's cached time and may fire early: a throttle's slot must not be taken before its time.
    if (left > 0) this.#timer = setTimeout(onTimer, Math.ceil(Math.min(left, 2 ** 31 - 1)), this)
    else this.#awake()
  }

  #awake(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}

function onTimer(session: Session): void {
  session.sleepOn()
}

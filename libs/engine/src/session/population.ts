import type { Globals, SessionSettings } from '@onrush/context/context'
import { Random } from '@onrush/context/random'
import { RenderError } from '@onrush/context/render-error'
import type { Recorder } from '@onrush/metrics/recorder'
import type { Loop } from '@onrush/protocol/load'
import type { Workshop } from '../steps/compile-scope.ts'
import { controlFailed } from '../steps/control-failure.ts'
import { microsBetween } from '../steps/micros.ts'
import { waitFor } from '../steps/pause.ts'
import { turn } from '../steps/run-step.ts'
import type { CompiledScenario } from './scenario.ts'
import { Session } from './session.ts'
import type { Trace } from './trace.ts'

export interface PopulationSettings {
  readonly name: string
  readonly scenarios: readonly CompiledScenario[]
  /** One scenario per session instead of all in order. */
  readonly pick: ((draw: number) => CompiledScenario | undefined) | undefined
  readonly loop: Loop | undefined
  /** Milliseconds. */
  readonly pace: number
  /** Whether another session follows at once where one ends, so that the pace counts for the last pass too. */
  readonly follows: boolean
  readonly seed: number
  readonly session: SessionSettings
  readonly globals: { readonly runId: string; readonly worker: string }
  readonly endSession: (session: Session) => void
  /** The last running session has ended. */
  readonly onIdle: () => void
  readonly onDefect: (error: unknown) => void
}

/** Which session is to start. */
export interface Start {
  /** From 1, in the whole run: what its rows and random numbers follow from. */
  readonly number: number
  readonly user: number
  readonly iteration: number
  readonly arrival: number
  /** The instant (`performance.now()`) it is due. */
  readonly due: number
  /** Whether that was planned, so that being late is the generator's own fault, or follows from an end just now. */
  readonly planned: boolean
}

/** How a session ended: `empty` says that no rows were left for it. */
export type Ending = 'finished' | 'interrupted' | 'empty'
/** `due`: the instant at which a session that follows at once is due. */
export type OnEnd = (ending: Ending, due: number) => void

/** Runs the sessions of one population and keeps their books. */
export class Population {
  readonly active = new Set<Session>()
  readonly #settings: PopulationSettings
  readonly #workshop: Workshop
  readonly #recorder: ReturnType<Recorder['population']>
  readonly #idle: Session[] = []
  #setup: unknown = undefined
  #rowsUsedUp = false

  constructor(settings: PopulationSettings, workshop: Workshop) {
    this.#settings = settings
    this.#workshop = workshop
    this.#recorder = workshop.recorder.population(settings.name)
  }

  get name(): string {
    return this.#settings.name
  }

  get rowsUsedUp(): boolean {
    return this.#rowsUsedUp
  }

  /** What `setup` returned, for all sessions. */
  setUp(result: unknown): void {
    this.#setup = result
  }

  /** The session is the caller's to know until its end is told, which is later, never within this call. */
  start(start: Start, onEnd: OnEnd, trace?: Trace): Session {
    const session = this.#idle.pop() ?? new Session(this.#workshop.recorder.generator)
    session.reset(start.number)
    if (start.planned) session.plan(start.due)
    else session.ended(start.due)
    session.trace = trace ?? this.#workshop.tracer?.()
    this.active.add(session)
    this.#recorder.started()
    void this.#live(session, start, onEnd)
    return session
  }

  dropped(): void {
    this.#recorder.dropped()
  }

  late(): void {
    this.#recorder.late()
  }

  cancelled(arrivals: number): void {
    if (arrivals > 0) this.#recorder.cancelled(arrivals)
  }

  /** All sessions end with their current pass. */
  leave(): void {
    for (const session of this.active) session.leaving = true
  }

  interrupt(): void {
    for (const session of this.active) session.interrupt()
  }

  /** Sessions that cannot be ended (code that ignores its signal) are written off. */
  abandon(): number {
    const left = this.active.size
    if (left > 0) this.#recorder.interrupted(left)
    this.active.clear()
    return left
  }

  /** A session's whole life in one function: ten thousand of them wait in it at once, and every frame costs memory. */
  async #live(session: Session, start: Start, onEnd: OnEnd): Promise<void> {
    const { loop, pace, follows } = this.#settings
    // One microtask later, so that whoever starts sessions in a loop is not called back from within it.
    await null
    try {
      const random = new Random(this.#settings.seed, start.number)
      const scenarios = this.#scenariosFor(random)
      let again = this.#begin(session, start, random, scenarios)
      for (let pass = 1; again; pass++) {
        const began = session.due
        const { waits } = session
        session.failed = false
        for (let i = 0; i < scenarios.length && !session.over; i++) {
          const waiting = this.#enter(scenarios[i], session)
          if (waiting !== undefined) await waiting
        }
        if (session.rowless || session.interrupted) break
        this.#recorder.pass(!session.failed, microsBetween(began, session.due))
        again = !session.over && loop !== undefined && ('forever' in loop || pass < loop.repeat)
        if (pace > 0 && !session.leaving && (again || follows)) {
          const left = began + pace - session.due
          if (left > 0) await waitFor(session, left)
        }
        if (session.waits === waits) await turn()
        again &&= !session.over && !session.leaving
      }
    } catch (error) {
      this.#settings.onDefect(error)
    }
    this.#end(session, onEnd)
  }

  #end(session: Session, onEnd: OnEnd): void {
    this.#settings.endSession(session)
    // One that was abandoned has been counted already, and whoever waited for it is gone.
    if (!this.active.delete(session)) return
    if (session.interrupted) this.#recorder.interrupted()
    else this.#recorder.finished()
    session.trace?.({ type: 'end', ok: !session.failed && !session.interrupted })
    this.#idle.push(session)
    onEnd(session.interrupted ? 'interrupted' : session.rowless ? 'empty' : 'finished', session.due)
    if (this.active.size === 0) this.#settings.onIdle()
  }

  #scenariosFor(random: Random): readonly CompiledScenario[] {
    const { pick, scenarios } = this.#settings
    if (pick === undefined) return scenarios
    const picked = pick(random.float())
    return picked === undefined ? scenarios : [picked]
  }

  #begin(session: Session, start: Start, random: Random, scenarios: readonly CompiledScenario[]): boolean {
    const { user, iteration, arrival } = start
    const { runId, worker } = this.#settings.globals
    const globals: Globals & { setup: unknown } = { runId, worker, user, iteration, arrival, setup: this.#setup }
    try {
      session.context.beginSession(this.#settings.session, globals, random)
      return true
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      controlFailed(error, session, 'variables', {
        scenario: scenarios[0]?.name ?? this.name,
        workshop: this.#workshop,
      })
      return false
    }
  }

  #enter(scenario: CompiledScenario | undefined, session: Session): Promise<unknown> | undefined {
    if (scenario === undefined) return undefined
    const row = scenario.rows?.rowOf(session.number)
    if (scenario.rows !== undefined && row === undefined) {
      this.#rowsUsedUp = true
      session.rowless = true
      session.over = true
      return undefined
    }
    try {
      session.context.beginScenario(scenario.imports, row)
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      controlFailed(error, session, 'imports', { scenario: scenario.name, workshop: this.#workshop })
      return undefined
    }
    if (session.trace !== undefined) {
      const variables = this.#workshop.mask.values({ ...session.context._j, ...session.context._s })
      session.trace({ type: 'scenario', name: scenario.name, variables })
    }
    return scenario.steps(session)
  }
}

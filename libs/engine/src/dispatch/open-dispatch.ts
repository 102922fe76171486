import type { Holding } from '@onrush/load/holding'
import { OwnedCursor, type Slice } from '@onrush/load/owned-cursor'
import type { OpenPlan } from '@onrush/load/plan'
import type { Share } from '@onrush/load/share'
import type { Population } from '../session/population.ts'
import type { RunClock } from '../session/run-clock.ts'
import { type Dispatch, startsPerTurn } from './dispatch.ts'
import { holdingFrom } from './holding-from.ts'

export interface OpenOptions {
  readonly slice: Slice
  readonly holding: Holding
  /** Of this slice. */
  readonly maxUsers: number
  /** A session that starts later than this after it was due is counted as late. */
  readonly lateMs: number
}

/** Arrivals, whatever the target does: those already due are started at once, late ones too, and said to be late. */
export class OpenDispatch implements Dispatch {
  readonly #plan: OpenPlan
  readonly #population: Population
  readonly #clock: RunClock
  readonly #cursor: OwnedCursor
  readonly #maxUsers: number
  readonly #lateMs: number
  #holding: Holding
  #dueAt: number
  #done = false

  constructor(plan: OpenPlan, population: Population, clock: RunClock, options: OpenOptions) {
    this.#plan = plan
    this.#population = population
    this.#clock = clock
    this.#holding = options.holding
    this.#maxUsers = options.maxUsers
    this.#lateMs = options.lateMs
    this.#cursor = new OwnedCursor(options.holding, options.slice, 1)
    this.#dueAt = this.#nextDue()
  }

  get done(): boolean {
    return this.#done || this.#dueAt === Number.POSITIVE_INFINITY
  }

  advance(t: number): number {
    for (let started = 0; !this.#done && this.#dueAt <= t; started++) {
      if (started === startsPerTurn) return t
      const due = this.#dueAt
      const number = this.#cursor.next()
      this.#dueAt = this.#nextDue()
      if (this.#population.active.size >= this.#maxUsers) this.#population.dropped()
      else this.#start(number, due, t)
    }
    return this.#done ? Number.POSITIVE_INFINITY : this.#dueAt
  }

  stop(): void {
    if (this.#done) return
    this.#done = true
    const next = this.#cursor.peek()
    const { total } = this.#plan.pacer
    if (next > total) return
    this.#population.cancelled(this.#cursor.countBelow(total + 1) - this.#cursor.countBelow(next))
  }

  reassign(share: Share, at: number): void {
    this.#holding = holdingFrom(this.#holding, share, this.#plan.pacer.plannedBy(at))
    this.#cursor.revise(this.#holding)
    this.#dueAt = this.#nextDue()
  }

  #start(number: number, due: number, t: number): void {
    if (t - due > this.#lateMs) this.#population.late()
    const instant = this.#clock.instantOf(due)
    this.#population.start(
      { number, user: number, iteration: 1, arrival: number, due: instant, planned: true },
      ending => {
        // Rows follow session numbers: where there is none for this arrival, there is none for those after it.
        if (ending === 'empty') this.stop()
      },
    )
  }

  #nextDue(): number {
    const next = this.#cursor.peek()
    return next === Number.POSITIVE_INFINITY ? next : this.#plan.pacer.dueAt(next)
  }
}

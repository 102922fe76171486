import { holdingOf } from '@onrush/load/holding'
import { type IterationPool, iterationPool } from '@onrush/load/iterations'
import { OwnedCursor, type Slice } from '@onrush/load/owned-cursor'
import type { IterationsPlan } from '@onrush/load/plan'
import type { Share } from '@onrush/load/share'
import type { Population } from '../session/population.ts'
import type { RunClock } from '../session/run-clock.ts'
import { type Dispatch, startsPerTurn } from './dispatch.ts'

/**
 * A fixed number of sessions: whichever of the slice's users is free takes the next. Which of another worker's sessions
 * have been run cannot be known from outside, so a change of ownership leaves this kind of plan as it is.
 */
export class IterationsDispatch implements Dispatch {
  readonly #plan: IterationsPlan
  readonly #population: Population
  readonly #clock: RunClock
  readonly #pool: IterationPool
  readonly #users: number
  #taken = 0
  #running = 0
  #stopped = false

  constructor(
    plan: IterationsPlan,
    population: Population,
    clock: RunClock,
    options: { slice: Slice; share: Share; maxUsers: number },
  ) {
    this.#plan = plan
    this.#population = population
    this.#clock = clock
    this.#pool = iterationPool(plan, new OwnedCursor(holdingOf(options.share), options.slice, 0))
    this.#users = Math.min(this.#pool.users, options.maxUsers)
  }

  get done(): boolean {
    return this.#stopped || this.#taken >= this.#pool.total
  }

  advance(t: number): number {
    const { startsAt, endsAt } = this.#plan
    if (this.done) return Number.POSITIVE_INFINITY
    if (t < startsAt) return startsAt
    if (t >= endsAt) {
      this.stop()
      return Number.POSITIVE_INFINITY
    }
    for (let started = 0; this.#running < this.#users && !this.done; started++) {
      if (started === startsPerTurn) return t
      this.#running++
      this.#start(this.#clock.instantOf(startsAt))
    }
    return endsAt
  }

  stop(): void {
    if (this.done) return
    this.#stopped = true
    this.#population.cancelled(this.#pool.total - this.#taken)
  }

  reassign(): void {
    // See above: nothing of this plan can move.
  }

  #start(due: number): void {
    const number = this.#pool.sessionAt(this.#taken++)
    const user = ((number - 1) % this.#plan.users) + 1
    const iteration = Math.floor((number - 1) / this.#plan.users) + 1
    this.#population.start({ number, user, iteration, arrival: 0, due, planned: false }, (ending, nextDue) => {
      if (ending === 'empty') this.stop()
      if (this.done || ending === 'interrupted') this.#running--
      else this.#start(nextDue)
    })
  }
}

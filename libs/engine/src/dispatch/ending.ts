import type { Plan } from '@onrush/load/plan'
import type { Population } from '../session/population.ts'
import type { Session } from '../session/session.ts'

/** When the plan of a population is over by itself, sessions that still run aside. */
export function plannedEnd(plan: Plan): number {
  const end = plan.kind === 'closed' ? plan.crowd.duration : plan.endsAt
  return plan.interruptsAt === Number.POSITIVE_INFINITY ? end : Math.max(end, plan.interruptsAt + plan.rampDown)
}

/** Ends the sessions that outlast their plan: evenly over the ramp down, and all of them when patience is over. */
export class PlanEnding {
  readonly #plan: Plan
  readonly #population: Population
  readonly #loopsForever: boolean
  readonly #patienceMs: number
  #left = false
  #leaving: { sessions: Session[]; next: number } | undefined = undefined
  /** How many had to be ended because they outlasted plan and patience. */
  cut = 0

  constructor(plan: Plan, population: Population, options: { loopsForever: boolean; patienceMs: number }) {
    this.#plan = plan
    this.#population = population
    this.#loopsForever = options.loopsForever
    this.#patienceMs = options.patienceMs
  }

  /** Answers when to be asked again. */
  advance(t: number): number {
    const { endsAt, interruptsAt, kind } = this.#plan
    if (kind === 'open' && !this.#left && t >= endsAt && this.#loopsForever && interruptsAt === Infinity) {
      // Nothing else says when they are to end: the plan's end does.
      this.#left = true
      this.#population.leave()
    }
    if (t >= interruptsAt) this.#interrupt(t)
    const last = plannedEnd(this.#plan) + this.#patienceMs
    if (t >= last && this.#population.active.size > 0) {
      this.cut += this.#population.active.size
      this.#population.interrupt()
    }
    return this.#next(t, last)
  }

  #next(t: number, last: number): number {
    const { endsAt, interruptsAt, rampDown } = this.#plan
    const times = [
      endsAt,
      interruptsAt,
      interruptsAt + rampDown,
      this.#leaving === undefined ? Infinity : this.#turnOf(this.#leaving.next),
      last,
    ]
    return Math.min(...times.filter(time => time > t))
  }

  #interrupt(t: number): void {
    this.#leaving ??= { sessions: [...this.#population.active], next: 0 }
    const { sessions } = this.#leaving
    while (this.#leaving.next < sessions.length && this.#turnOf(this.#leaving.next) <= t) {
      const session = sessions[this.#leaving.next++]
      if (session !== undefined && this.#population.active.has(session)) session.interrupt()
    }
    // In a closed plan users who are still wanted begin again while others leave.
    if (t >= this.#plan.interruptsAt + this.#plan.rampDown) this.#population.interrupt()
  }

  #turnOf(i: number): number {
    const { interruptsAt, rampDown } = this.#plan
    const count = this.#leaving?.sessions.length ?? 0
    if (i >= count) return Infinity
    return interruptsAt + (rampDown * (i + 1)) / Math.max(1, count)
  }
}

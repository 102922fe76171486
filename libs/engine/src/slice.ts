import { holdingOf } from '@onrush/load/holding'
import { OwnedCursor, type Slice as SlicePlace } from '@onrush/load/owned-cursor'
import { type Plan, planOf } from '@onrush/load/plan'
import type { Share } from '@onrush/load/share'
import type { Population as PopulationPlan, ShardPlan } from '@onrush/protocol/plan'
import { ClosedDispatch } from './dispatch/closed-dispatch.ts'
import type { Dispatch } from './dispatch/dispatch.ts'
import { PlanEnding } from './dispatch/ending.ts'
import { IterationsDispatch } from './dispatch/iterations-dispatch.ts'
import { OpenDispatch } from './dispatch/open-dispatch.ts'
import type { Population } from './session/population.ts'
import type { RunClock } from './session/run-clock.ts'
import { seedOf } from './session/seed.ts'

interface Part {
  readonly population: Population
  readonly dispatch: Dispatch
  readonly ending: PlanEnding
}

/** Beyond this after its due time a session's start is counted as late: the generator's default limit for its p99. */
const lateMs = 10

export interface SliceNeeds {
  readonly plan: ShardPlan
  readonly place: SlicePlace
  readonly clock: RunClock
  /** Compiled, in the plan's order. */
  readonly populations: readonly Population[]
  /** Called with the busy share of the event loop, once a second. */
  readonly onUtilisation: (share: number) => void
  /** Slots of the throttle change hands with everything else. */
  readonly onReassign: (share: Share, at: number) => void
}

/** One thread's part of a run: starts its sessions when they are due, and knows when all is over. */
export class Slice {
  readonly #needs: SliceNeeds
  readonly #parts: readonly Part[]
  readonly #over = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined = undefined
  #grace: NodeJS.Timeout | undefined = undefined
  #pulse: NodeJS.Timeout | undefined = undefined

  constructor(needs: SliceNeeds) {
    this.#needs = needs
    const { plan } = needs
    this.#parts = needs.populations.flatMap((population, i) => {
      const load = plan.populations[i]
      return load === undefined ? [] : [partOf(load, population, needs)]
    })
  }

  /** Runs to the end. Answers what a person should know about it. */
  async run(): Promise<string[]> {
    this.#watchUtilisation()
    this.#wake()
    await this.#over.promise
    clearTimeout(this.#timer)
    clearTimeout(this.#grace)
    clearInterval(this.#pulse)
    return this.#parts.flatMap(notesOf)
  }

  /** No new sessions; those that run end with their pass, or when the grace is over. */
  stop(graceMs: number): void {
    this.#endStarts()
    for (const { population } of this.#parts) population.leave()
    this.#grace ??= setTimeout(() => this.#interruptAll(), graceMs)
    this.#wake()
  }

  /** Everything ends now. Code that ignores its signal is left behind. */
  abort(): void {
    this.#endStarts()
    this.#interruptAll()
    clearTimeout(this.#grace)
    this.#grace = setTimeout(() => {
      for (const { population } of this.#parts) population.abandon()
      this.#over.resolve()
    }, abandonMs)
    this.#wake()
  }

  reassign(share: Share, at: number): void {
    this.#needs.onReassign(share, at)
    for (const { dispatch } of this.#parts) dispatch.reassign(share, at)
    this.#wake()
  }

  /** Called when no session of a population runs: perhaps none ever will again. */
  idle(): void {
    if (this.#parts.every(({ dispatch, population }) => dispatch.done && population.active.size === 0)) {
      this.#over.resolve()
    }
  }

  #endStarts(): void {
    for (const { dispatch } of this.#parts) dispatch.stop()
  }

  #interruptAll(): void {
    for (const { population } of this.#parts) population.interrupt()
  }

  /** One timer for all arrivals: everything already due is started, late ones too. */
  readonly #wake = (): void => {
    clearTimeout(this.#timer)
    const { clock } = this.#needs
    const t = clock.now()
    let next = Number.POSITIVE_INFINITY
    for (const { dispatch, ending } of this.#parts) {
      next = Math.min(next, dispatch.advance(t), ending.advance(t))
    }
    this.idle()
    if (next === Number.POSITIVE_INFINITY) return
    if (next <= t) setImmediate(this.#wake)
    else this.#timer = setTimeout(this.#wake, Math.max(0, Math.min(Math.ceil(next - clock.now()), longestTimer)))
  }

  #watchUtilisation(): void {
    let before = performance.eventLoopUtilization()
    this.#pulse = setInterval(() => {
      const now = performance.eventLoopUtilization()
      this.#needs.onUtilisation(performance.eventLoopUtilization(now, before).utilization)
      before = now
    }, 1000)
  }
}

/** Node takes a longer timer for 1 ms. */
const longestTimer = 2 ** 31 - 1
/** Interrupted sessions end within a few turns of the loop, unless their code does not listen. */
const abandonMs = 1000

function partOf(load: PopulationPlan, population: Population, needs: SliceNeeds): Part {
  const { plan } = needs
  const shape = planOf(load, seedOf(plan.seed, load.name, 'arrivals'))
  const dispatch = dispatchOf(shape, load, population, needs)
  const loopsForever = load.loop !== undefined && 'forever' in load.loop
  const patienceMs = plan.limits.overrunMs + plan.limits.graceMs
  return { population, dispatch, ending: new PlanEnding(shape, population, { loopsForever, patienceMs }) }
}

function dispatchOf(shape: Plan, load: PopulationPlan, population: Population, needs: SliceNeeds): Dispatch {
  const { plan, place: slice, clock } = needs
  const { share } = plan
  const most = load.maxUsers ?? Number.POSITIVE_INFINITY
  // `maxUsers` is divided like users are: a slice has as many as it owns of the numbers below it.
  const own = load.maxUsers === undefined ? most : new OwnedCursor(holdingOf(share), slice, 0).countBelow(load.maxUsers)
  switch (shape.kind) {
    case 'open':
      return new OpenDispatch(shape, population, clock, { slice, holding: holdingOf(share), maxUsers: own, lateMs })
    case 'closed':
      return new ClosedDispatch(shape, population, clock, { slice, share, maxUsers: most })
    case 'iterations':
      return new IterationsDispatch(shape, population, clock, { slice, share, maxUsers: own })
    default:
      return shape satisfies never
  }
}

function notesOf({ population, ending }: Part): string[] {
  const rows = population.rowsUsedUp
    ? [`${population.name}: the feeder's rows were used up; later sessions were not started`]
    : []
  const cut =
    ending.cut > 0 ? [`${population.name}: ${ending.cut} sessions outlasted the plan and were interrupted`] : []
  return [...rows, ...cut]
}

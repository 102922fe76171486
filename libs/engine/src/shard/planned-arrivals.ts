import { type Holding, holdingOf } from '@onrush/load/holding'
import { iterationPool } from '@onrush/load/iterations'
import { OwnedCursor } from '@onrush/load/owned-cursor'
import { type Plan, planOf } from '@onrush/load/plan'
import type { Share } from '@onrush/load/share'
import type { ShardPlan } from '@onrush/protocol/plan'
import { plannedEnd } from '../dispatch/ending.ts'
import { holdingFrom } from '../dispatch/holding-from.ts'
import { seedOf } from '../session/seed.ts'

/** All threads of the shard together. */
const whole = { thread: 0, threads: 1 }

interface PlannedPopulation {
  readonly name: string
  readonly plan: Plan
  holding: Holding
}

/** What a shard's plan asks for: how many sessions, and for how long. Without running anything. */
export class PlannedArrivals {
  readonly #populations: PlannedPopulation[]

  constructor(plan: Pick<ShardPlan, 'populations' | 'seed' | 'share'>) {
    this.#populations = plan.populations.map(load => ({
      name: load.name,
      plan: planOf(load, seedOf(plan.seed, load.name, 'arrivals')),
      holding: holdingOf(plan.share),
    }))
  }

  /** When the last population's plan is over; `Infinity` where only the sessions decide. */
  get endsAt(): number {
    return Math.max(...this.#populations.map(({ plan }) => plannedEnd(plan)))
  }

  reassign(share: Share, at: number): void {
    for (const population of this.#populations) {
      if (population.plan.kind !== 'open') continue
      population.holding = holdingFrom(population.holding, share, population.plan.pacer.plannedBy(at))
    }
  }

  /** Sessions planned for a population; `undefined` for a closed one, where it depends on the target. */
  of(name: string): number | undefined {
    const population = this.#populations.find(each => each.name === name)
    if (population === undefined) return undefined
    const { plan, holding } = population
    switch (plan.kind) {
      case 'open': {
        // Arrivals are counted from 1; number 0 is a user's.
        const owned = new OwnedCursor(holding, whole, 1)
        return owned.countBelow(plan.pacer.total + 1) - owned.countBelow(1)
      }
      case 'iterations':
        return iterationPool(plan, new OwnedCursor(holding, whole, 0)).total
      case 'closed':
        return undefined
      default:
        return plan satisfies never
    }
  }

  get names(): readonly string[] {
    return this.#populations.map(({ name }) => name)
  }
}

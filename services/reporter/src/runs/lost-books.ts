import { holdingOf } from '@onrush/load/holding'
import { iterationPool } from '@onrush/load/iterations'
import { OwnedCursor } from '@onrush/load/owned-cursor'
import { planOf } from '@onrush/load/plan'
import type { Share } from '@onrush/load/share'
import type { Frame } from '@onrush/protocol/frame'
import type { Population, PopulationBooks } from '@onrush/protocol/plan'

const whole = { thread: 0, threads: 1 }
const nobody = { started: 0, finished: 0, interrupted: 0, dropped: 0, cancelled: 0 }

/** How many sessions of a population a share owns; nothing for a closed one, where it depends on the target. */
function plannedFor(population: Population, share: Share, seed: number): number | undefined {
  const plan = planOf(population, seed)
  switch (plan.kind) {
    case 'open':
      // Arrivals are counted from 1; number 0 is a user's. Where they fall does not change how many there are.
      return new OwnedCursor(holdingOf(share), whole, 1).countIn(0, plan.pacer.total)
    case 'iterations':
      return iterationPool(plan, new OwnedCursor(holdingOf(share), whole, 0)).total
    case 'closed':
      return undefined
    default:
      return plan satisfies never
  }
}

/**
 * The books of a shard that can no longer keep them: what it had counted, and as missed what its share of the plan held
 * beyond that. Sessions that ran when it died ended with it.
 */
export function lostBooks(
  populations: readonly Population[],
  share: Share,
  seed: number,
  frames: readonly Frame[],
): PopulationBooks[] {
  return populations.map(population => {
    const counted = { ...nobody }
    for (const { counts } of frames) {
      const found = counts.populations.find(each => each.population === population.name)
      if (found === undefined) continue
      for (const entry of Object.keys(nobody) as (keyof typeof nobody)[]) counted[entry] += found[entry]
    }
    const { started, finished, dropped, cancelled } = counted
    const accounted = started + dropped + cancelled
    const planned = plannedFor(population, share, seed) ?? accounted
    return {
      population: population.name,
      // A plan without end (a level that holds for ever) has no number; then what was counted is all there is to say.
      planned: Number.isFinite(planned) ? Math.max(planned, accounted) : accounted,
      started,
      dropped,
      cancelled,
      missed: Number.isFinite(planned) ? Math.max(0, planned - accounted) : 0,
      finished,
      interrupted: started - finished,
    }
  })
}

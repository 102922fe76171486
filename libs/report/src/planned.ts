import { summaryOf } from '@onrush/load/curve'
import { type Plan, planOf } from '@onrush/load/plan'
import type { Population } from '@onrush/protocol/plan'
import type { ReportPlan } from '@onrush/protocol/report'

const points = 240

/** Ends where the last arrival or user does; unbounded plans (a holding throttle, plain iterations) have no end of their own. */
const bounded = (ms: number | undefined): number | null => (ms === undefined || !Number.isFinite(ms) ? null : ms)

/** Sums of the plans at equal distances, as arrivals per second and as users. */
function curves(plans: readonly Plan[], until: number): Pick<ReportPlan, 'rate' | 'users'> {
  if (until <= 0) return { rate: [], users: [] }
  // Whole seconds, so that a rate of the plan and a measured one are taken over the same time.
  const width = Math.max(1, Math.ceil(until / 1000 / points)) * 1000
  const edges = Array.from({ length: Math.ceil(until / width) }, (_, i) => i * width)
  const open = plans.filter(plan => plan.kind === 'open')
  const others = plans.filter(plan => plan.kind !== 'open')
  return {
    rate:
      open.length === 0
        ? []
        : edges.map(at => {
            const to = Math.min(at + width, until)
            const wanted = open.reduce(
              // What is due at the very beginning lies at the edge and belongs to the first interval.
              (sum, { pacer }) => sum + pacer.wantedBy(to) - (at === 0 ? 0 : pacer.wantedBy(at)),
              0,
            )
            return { at, value: Math.max(0, (1000 * wanted) / (to - at)) }
          }),
    users: others.length === 0 ? [] : edges.map(at => ({ at, value: usersAt(others, at) })),
  }
}

function usersAt(plans: readonly Exclude<Plan, { kind: 'open' }>[], at: number): number {
  return plans.reduce((sum, plan) => {
    if (plan.kind === 'closed') return sum + plan.crowd.usersAt(at)
    return sum + (at >= plan.startsAt && at < plan.endsAt ? Math.min(plan.users, plan.iterations) : 0)
  }, 0)
}

/** What a run is going to do, before anything has run. */
export function planned(populations: readonly Population[], seed: number): ReportPlan {
  const plans = populations.map(population => ({ name: population.name, plan: planOf(population, seed) }))
  const summaries = plans.map(({ name, plan }) => {
    const { kind, total, peak, duration } = summaryOf(plan)
    return {
      name,
      kind,
      peak: bounded(peak) ?? 0,
      arrivals: bounded(total),
      durationMs: bounded(duration),
    }
  })
  const ends = summaries.map(({ durationMs }) => durationMs)
  const totals = summaries.map(({ arrivals }) => arrivals)
  return {
    durationMs: ends.includes(null) ? null : Math.max(...ends.map(Number)),
    arrivals: totals.includes(null) ? null : totals.reduce((sum: number, each) => sum + Number(each), 0),
    populations: summaries,
    ...curves(
      plans.map(({ plan }) => plan),
      Math.max(0, ...ends.map(Number)),
    ),
  }
}

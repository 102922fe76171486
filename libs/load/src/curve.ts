import type { Plan } from './plan.ts'

export interface PlanSummary {
  kind: Plan['kind']
  /** Sessions planned; `undefined` for a closed plan, where it depends on the target. */
  total: number | undefined
  /** Highest rate per second (open), or most users at once. */
  peak: number
  /** When the plan ends, ms after the start; `undefined` where iterations decide. */
  duration: number | undefined
}

/** What progress and charts need to know before anything has run. */
export function summaryOf(plan: Plan): PlanSummary {
  switch (plan.kind) {
    case 'open':
      return { kind: plan.kind, total: plan.pacer.total, peak: plan.pacer.peak, duration: plan.pacer.duration }
    case 'closed':
      return { kind: plan.kind, total: undefined, peak: plan.crowd.peak, duration: plan.crowd.duration }
    case 'iterations':
      return {
        kind: plan.kind,
        total: plan.iterations,
        peak: Math.min(plan.users, plan.iterations),
        duration: Number.isFinite(plan.endsAt) ? plan.endsAt : undefined,
      }
    default:
      return plan satisfies never
  }
}

/**
 * The plan as a line over `points` equal intervals: open plans give the mean rate per second within each, so that
 * arrivals at one instant show with their true weight; the others give the users wanted at each interval's beginning.
 */
export function curve(plan: Plan, points: number): { at: number; value: number }[] {
  const { duration } = summaryOf(plan)
  if (duration === undefined || duration === 0) return []
  const edge = (i: number): number => (duration * i) / points
  return Array.from({ length: points }, (_, i) => ({ at: edge(i), value: valueWithin(plan, edge(i), edge(i + 1)) }))
}

function valueWithin(plan: Plan, from: number, to: number): number {
  switch (plan.kind) {
    case 'open': {
      // What falls on the very beginning of the plan has no interval before it to belong to.
      const before = from === 0 ? 0 : plan.pacer.wantedBy(from)
      return (1000 * (plan.pacer.wantedBy(to) - before)) / (to - from)
    }
    case 'closed':
      return plan.crowd.usersAt(from)
    case 'iterations':
      return from >= plan.startsAt ? Math.min(plan.users, plan.iterations) : 0
    default:
      return plan satisfies never
  }
}

import { type Duration, durationMs } from '@onrush/protocol/duration'
import type { Injection, IterationsInjection, OpenInjection } from '@onrush/protocol/injection'
import { type ClosedStep, type Crowd, openCrowd } from './closed.ts'
import { openPacer, type Pacer } from './pacer.ts'

/** The load of one population as the protocol writes it, checked. */
export interface Load {
  inject: readonly Injection[]
  arrivals?: 'uniform' | 'poisson' | undefined
  maxDuration?: Duration | undefined
  startAfter?: Duration | undefined
  rampDown?: Duration | undefined
}

/** What all kinds of plans say; times are milliseconds after the start of the run. */
interface Around {
  startsAt: number
  /** No session starts later; `Infinity` for iterations, which take as long as they take. */
  endsAt: number
  /** When sessions still running are ended; `Infinity` where they may finish by themselves. */
  interruptsAt: number
  /** Those then running are ended evenly over so many milliseconds; 0 means all at once. */
  rampDown: number
}

export interface OpenPlan extends Around {
  kind: 'open'
  pacer: Pacer
}
export interface ClosedPlan extends Around {
  kind: 'closed'
  /** Its ramp down is part of the crowd: users are wanted until their turn to leave. */
  crowd: Crowd
}
export interface IterationsPlan extends Around {
  kind: 'iterations'
  iterations: number
  users: number
}
export type Plan = OpenPlan | ClosedPlan | IterationsPlan

/** `maxDuration` counts from the population's own beginning: `startAfter` moves the plan as a whole, its cut included. */
export function planOf(load: Load, seed: number): Plan {
  const startsAt = ms(load.startAfter) ?? 0
  const only = load.inject.find(isIterations)
  const own = only === undefined ? undefined : ms(only.maxDuration)
  const maxDuration = Math.min(ms(load.maxDuration) ?? Infinity, own ?? Infinity)
  const interruptsAt = startsAt + maxDuration
  const around = { startsAt, interruptsAt, rampDown: ms(load.rampDown) ?? 0 }
  if (only !== undefined) {
    return { kind: 'iterations', ...around, endsAt: interruptsAt, iterations: only.iterations, users: only.users }
  }
  const options = { startAfter: startsAt, maxDuration, rampDown: around.rampDown }
  if (load.inject.every(isOpen)) {
    const pacer = openPacer(load.inject, { ...options, arrivals: load.arrivals, seed })
    return { kind: 'open', ...around, endsAt: pacer.duration, pacer }
  }
  const crowd = openCrowd(load.inject.filter(isClosed), options)
  return { kind: 'closed', ...around, endsAt: crowd.endsAt, crowd }
}

function ms(duration: Duration | undefined): number | undefined {
  return duration === undefined ? undefined : durationMs(duration)
}

function isIterations(step: Injection): step is IterationsInjection {
  return step.type === 'iterations'
}

function isClosed(step: Injection): step is ClosedStep {
  return step.type === 'nothingFor' || step.type.includes('Concurrent')
}

function isOpen(step: Injection): step is OpenInjection {
  return !isIterations(step) && (step.type === 'nothingFor' || !isClosed(step))
}

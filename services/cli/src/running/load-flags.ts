import type { LoadOverride } from '@onrush/load/populations'
import { OnrushError } from '@onrush/protocol/error'
import type { Injection } from '@onrush/protocol/injection'
import type { Fault } from '@onrush/protocol/problem'
import type { Simulation } from '@onrush/protocol/simulation'
import { profileOfStages, type Stage } from './stages.ts'

export interface LoadFlags {
  readonly users: number | undefined
  readonly duration: string | undefined
  readonly rate: number | undefined
  readonly iterations: number | undefined
  readonly stage: readonly Stage[]
  readonly 'max-duration': string | undefined
  readonly 'start-after': string | undefined
  readonly 'ramp-down': string | undefined
  readonly 'think-times': number | undefined
}

/** What cannot stand together, all of it at once. */
function conflicts({ users, duration, rate, iterations, stage }: LoadFlags): Fault[] {
  const faults: Fault[] = []
  const clash = (path: string, message: string) => faults.push({ path, message })
  if (iterations !== undefined && rate !== undefined) {
    clash('--rate', 'a rate plans arrivals, --iterations shares out a number of sessions: give one of the two')
  }
  if (stage.length > 0 && iterations !== undefined) {
    clash('--iterations', 'stages plan a load over time, iterations a number of sessions: give one of the two')
  }
  if (stage.length > 0 && duration !== undefined) {
    clash('--duration', 'the stages have durations of their own: leave --duration out')
  }
  if (stage.length > 0 && rate === undefined) {
    for (const { target } of stage) {
      if (!Number.isInteger(target)) {
        clash(
          '--stage',
          `expected whole users, got ${target}; with --rate the stages are rates, which may be fractions`,
        )
      }
    }
    if (profileOfStages(stage, 'users', users ?? 0).length === 0) clash('--stage', 'expected a stage that lasts')
  }
  return faults
}

/** The profile that the script alone would run, where it is one step that flags can change a part of. */
function onlyStep(simulation: Simulation): Injection | 'none' | 'many' {
  const own = simulation.scenarios.flatMap(({ inject }) => (inject === undefined ? [] : [inject]))
  const profiles = simulation.inject === undefined ? own : [simulation.inject, ...own]
  const [profile, ...others] = profiles
  if (profile === undefined) return 'none'
  const [step, ...steps] = profile
  return others.length === 0 && steps.length === 0 && step !== undefined ? step : 'many'
}

function incomplete(flag: string, missing: string): OnrushError {
  return new OnrushError('invalid', 'the flags do not make a load', {
    errors: [
      { path: flag, message: `the script's own profile has no single value to replace by this one; add ${missing}` },
    ],
  })
}

/**
 * Flags over the script's profile, as k6 users expect: `-u` and `-d` a constant number of users, `-r` and `-d` a
 * constant rate, `-i` iterations shared by the users, `--stage` ramps. One flag alone changes its part of a profile that
 * has just one step.
 */
function injectOf(flags: LoadFlags, simulation: Simulation): Injection[] | undefined {
  const { users, duration, rate, iterations, stage } = flags
  if (stage.length > 0) {
    return rate === undefined ? profileOfStages(stage, 'users', users ?? 0) : profileOfStages(stage, 'rate', rate)
  }
  if (iterations !== undefined) {
    return [
      {
        type: 'iterations',
        iterations,
        users: users ?? 1,
        ...(duration === undefined ? {} : { maxDuration: duration }),
      },
    ]
  }
  const step = onlyStep(simulation)
  const kind = typeof step === 'string' ? step : step.type
  if (rate !== undefined) {
    if (duration !== undefined) return [{ type: 'constantUsersPerSec', rate, duration }]
    if (typeof step === 'object' && step.type === 'constantUsersPerSec') return [{ ...step, rate }]
    throw incomplete('--rate', 'a --duration')
  }
  if (users !== undefined) {
    if (duration !== undefined) return [{ type: 'constantConcurrentUsers', users, duration }]
    if (kind === 'none') return [{ type: 'iterations', iterations: users, users }]
    if (typeof step === 'object' && (step.type === 'constantConcurrentUsers' || step.type === 'iterations')) {
      return [{ ...step, users }]
    }
    throw incomplete('--users', 'a --duration or a number of --iterations')
  }
  if (duration === undefined) return undefined
  if (kind === 'none') return [{ type: 'constantConcurrentUsers', users: 1, duration }]
  if (typeof step === 'object') {
    if (step.type === 'iterations') return [{ ...step, maxDuration: duration }]
    if ('duration' in step) return [{ ...step, duration }]
  }
  throw incomplete('--duration', '--users or a --rate')
}

/** What the flags lay over the load that the simulation names. */
export function loadOf(flags: LoadFlags, simulation: Simulation): LoadOverride {
  const faults = conflicts(flags)
  if (faults.length > 0) throw new OnrushError('invalid', 'some flags exclude each other', { errors: faults })
  const inject = injectOf(flags, simulation)
  // With a rate the users are not the load but its ceiling.
  const ceiling = flags.rate === undefined ? undefined : flags.users
  return {
    ...(inject === undefined ? {} : { inject }),
    ...(ceiling === undefined ? {} : { maxUsers: ceiling }),
    ...(flags['max-duration'] === undefined ? {} : { maxDuration: flags['max-duration'] }),
    ...(flags['start-after'] === undefined ? {} : { startAfter: flags['start-after'] }),
    ...(flags['ramp-down'] === undefined ? {} : { rampDown: flags['ramp-down'] }),
    ...(flags['think-times'] === undefined ? {} : { thinkTimes: flags['think-times'] }),
  }
}

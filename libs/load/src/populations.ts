import type { Duration } from '@onrush/protocol/duration'
import { OnrushError } from '@onrush/protocol/error'
import type { Profile } from '@onrush/protocol/injection'
import type { Loop } from '@onrush/protocol/load'
import type { Population } from '@onrush/protocol/plan'
import type { Simulation } from '@onrush/protocol/simulation'

/** What a caller lays over the load that the simulation names. */
export interface LoadOverride {
  inject?: Profile | undefined
  loop?: Loop | undefined
  maxDuration?: Duration | undefined
  startAfter?: Duration | undefined
  rampDown?: Duration | undefined
  pace?: Duration | undefined
  thinkTimes?: number | undefined
  maxUsers?: number | undefined
}

/** One session, once: what a simulation without any `inject` runs. */
const once: Profile = [{ type: 'iterations', iterations: 1, users: 1 }]

const loadNames = [
  'arrivals',
  'loop',
  'maxDuration',
  'startAfter',
  'rampDown',
  'pace',
  'thinkTimes',
  'maxUsers',
] as const
type Around = { [N in (typeof loadNames)[number]]?: Population[N] }

function around(load: Around): Around {
  const entries = loadNames.filter(name => load[name] !== undefined).map(name => [name, load[name]])
  return Object.fromEntries(entries)
}

/**
 * Who runs what: each scenario with an `inject` of its own, and all the others together as one population. An `inject`
 * laid over replaces the only one there is; which of several it should replace, nobody can tell.
 */
export function populationsOf(simulation: Simulation, override: LoadOverride = {}): Population[] {
  const own = simulation.scenarios.filter(scenario => scenario.inject !== undefined)
  const shared = simulation.scenarios.filter(scenario => scenario.inject === undefined)
  const count = own.length + (shared.length > 0 ? 1 : 0)
  if (override.inject !== undefined && count > 1) {
    const names = own.map(({ name }) => `"${name}"`).join(', ')
    throw new OnrushError(
      'invalid',
      `expected one population to give this load to, got ${count}: ${names} ${own.length === 1 ? 'has' : 'have'} an "inject" of ${own.length === 1 ? 'its' : 'their'} own; change the load in the simulation`,
      { errors: [{ path: '$.inject', message: 'overriding is refused when several populations have their own load' }] },
    )
  }
  const over = { ...around(override), ...(override.inject === undefined ? {} : { inject: override.inject }) }
  const populations: Population[] = own.map(scenario => ({
    ...common(simulation),
    ...around(scenario),
    name: scenario.name,
    scenarios: [scenario.name],
    inject: scenario.inject ?? once,
    ...over,
  }))
  if (shared.length > 0) {
    populations.unshift({
      ...around(simulation),
      ...(shared.length === 1 && shared[0] !== undefined ? paceOf(shared[0]) : {}),
      name: nameFor(shared, own),
      scenarios: shared.map(({ name }) => name),
      inject: simulation.inject ?? once,
      ...over,
    })
  }
  return populations
}

/** What a population of its own takes from the simulation: how it thinks, not how long or how many. */
function common({ thinkTimes, pace }: Simulation): Around {
  return { ...(thinkTimes === undefined ? {} : { thinkTimes }), ...(pace === undefined ? {} : { pace }) }
}

function paceOf({ pace, thinkTimes, maxDuration }: Around): Around {
  return around({ pace, thinkTimes, maxDuration })
}

function nameFor(shared: readonly { name: string }[], own: readonly { name: string }[]): string {
  const [only] = shared
  if (shared.length === 1 && only !== undefined) return only.name
  let name = 'main'
  while (own.some(scenario => scenario.name === name)) name += "'"
  return name
}

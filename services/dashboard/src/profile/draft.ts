import type { Injection, Profile } from '@onrush/protocol/injection'

export type InjectionType = Injection['type']

export interface DraftField {
  readonly name: string
  readonly label: string
  readonly kind: 'number' | 'duration'
  readonly first: string
  readonly optional?: boolean
}

const duration = (first: string): DraftField => ({ name: 'duration', label: 'for', kind: 'duration', first })
const number = (name: string, label: string, first: string): DraftField => ({ name, label, kind: 'number', first })
const stairs = (unit: string): DraftField[] => [
  number('from', `from (${unit})`, '10'),
  number('step', 'by', '10'),
  number('times', 'levels', '5'),
  { name: 'eachLevelLasting', label: 'each for', kind: 'duration', first: '30s' },
  { name: 'separatedByRampsLasting', label: 'ramps between', kind: 'duration', first: '', optional: true },
]

/** What each kind of step asks, in the order in which it reads as a sentence. */
export const kinds: Readonly<Record<InjectionType, { group: string; name: string; fields: readonly DraftField[] }>> = {
  constantUsersPerSec: {
    group: 'Arrivals',
    name: 'constant rate',
    fields: [number('rate', 'per second', '50'), duration('1m')],
  },
  rampUsersPerSec: {
    group: 'Arrivals',
    name: 'ramp of the rate',
    fields: [number('from', 'from, per second', '1'), number('to', 'to', '100'), duration('30s')],
  },
  incrementUsersPerSec: { group: 'Arrivals', name: 'stairs of rates', fields: stairs('per second') },
  rampUsers: {
    group: 'Arrivals',
    name: 'so many, evenly',
    fields: [number('users', 'sessions', '100'), duration('30s')],
  },
  heavisideUsers: {
    group: 'Arrivals',
    name: 'so many, as a bell',
    fields: [number('users', 'sessions', '1000'), duration('1m')],
  },
  atOnceUsers: { group: 'Arrivals', name: 'so many at once', fields: [number('users', 'sessions', '10')] },
  nothingFor: { group: 'Arrivals', name: 'nothing', fields: [duration('10s')] },
  constantConcurrentUsers: {
    group: 'Sessions at once',
    name: 'constant number',
    fields: [number('users', 'sessions', '10'), duration('1m')],
  },
  rampConcurrentUsers: {
    group: 'Sessions at once',
    name: 'ramp of the number',
    fields: [number('from', 'from', '1'), number('to', 'to', '50'), duration('30s')],
  },
  incrementConcurrentUsers: { group: 'Sessions at once', name: 'stairs of numbers', fields: stairs('sessions') },
  iterations: {
    group: 'A fixed number',
    name: 'iterations',
    fields: [
      number('iterations', 'sessions in all', '1000'),
      number('users', 'at once', '10'),
      { name: 'maxDuration', label: 'at most for', kind: 'duration', first: '', optional: true },
    ],
  },
}

/** A step as it stands in the form: texts, which may be wrong. */
export interface DraftStep {
  readonly id: number
  readonly type: InjectionType
  readonly texts: Readonly<Record<string, string>>
}

let last = 0

/** A new step of a kind; what it has in common with the one that it replaces stays. */
export function draftStep(type: InjectionType, texts: Readonly<Record<string, string>> = {}): DraftStep {
  const entries = kinds[type].fields.map(({ name, first }) => [name, texts[name] ?? first])
  return { id: ++last, type, texts: Object.fromEntries(entries) }
}

function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'value' in value && 'unit' in value)
    return `${value.value}${{ millisecond: 'ms', second: 's', minute: 'm', hour: 'h', day: 'd' }[String(value.unit)] ?? ''}`
  return value === undefined ? '' : String(value)
}

export const draftsOf = (profile: Profile): DraftStep[] =>
  profile.map(({ type, ...fields }) =>
    draftStep(type, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]))),
  )

/** What the form says, right or wrong: the protocol's own schema judges it. */
export function injectionOf({ type, texts }: DraftStep): Record<string, unknown> {
  const entries = kinds[type].fields.flatMap(({ name, kind, optional }): (readonly [string, unknown])[] => {
    const text = (texts[name] ?? '').trim()
    if (text === '') return optional ? [] : [[name, undefined]]
    return [[name, kind === 'number' && Number.isFinite(Number(text)) ? Number(text) : text]]
  })
  return { type, ...Object.fromEntries(entries) }
}

export interface Preset {
  readonly name: string
  readonly profile: Profile
}

export const presets: readonly Preset[] = [
  { name: 'constant', profile: [{ type: 'constantUsersPerSec', rate: 50, duration: '1m' }] },
  {
    name: 'ramp and hold',
    profile: [
      { type: 'rampUsersPerSec', from: 1, to: 100, duration: '30s' },
      { type: 'constantUsersPerSec', rate: 100, duration: '2m' },
    ],
  },
  {
    name: 'stairs',
    profile: [
      {
        type: 'incrementUsersPerSec',
        from: 20,
        step: 20,
        times: 5,
        eachLevelLasting: '30s',
        separatedByRampsLasting: '5s',
      },
    ],
  },
  {
    name: 'spike',
    profile: [
      { type: 'constantUsersPerSec', rate: 20, duration: '30s' },
      { type: 'rampUsersPerSec', from: 20, to: 200, duration: '5s' },
      { type: 'constantUsersPerSec', rate: 200, duration: '20s' },
      { type: 'rampUsersPerSec', from: 200, to: 20, duration: '5s' },
      { type: 'constantUsersPerSec', rate: 20, duration: '30s' },
    ],
  },
  { name: 'users', profile: [{ type: 'constantConcurrentUsers', users: 20, duration: '1m' }] },
]

import type { GroupWire, PopulationWire } from '@onrush/protocol/frame'
import { Histogram } from './histogram.ts'
import { addEncoded, encodeIfAny } from './histogram-wire.ts'

export class GroupCounts {
  readonly scenario: string
  readonly group: string
  readonly ok = new Histogram()
  readonly ko = new Histogram()

  constructor(at: { scenario: string; group: string }) {
    this.scenario = at.scenario
    this.group = at.group
  }

  add(wire: GroupWire): void {
    if (wire.ok !== undefined) addEncoded(this.ok, wire.ok)
    if (wire.ko !== undefined) addEncoded(this.ko, wire.ko)
  }

  toWire(): GroupWire | undefined {
    const ok = encodeIfAny(this.ok)
    const ko = encodeIfAny(this.ko)
    return ok === undefined && ko === undefined ? undefined : { scenario: this.scenario, group: this.group, ok, ko }
  }

  clear(): void {
    this.ok.clear()
    this.ko.clear()
  }
}

export const sessionCounters = ['started', 'finished', 'interrupted', 'dropped', 'late', 'cancelled'] as const
export type SessionCounter = (typeof sessionCounters)[number]

export class PopulationCounts {
  readonly population: string
  readonly sessions: Record<SessionCounter, number> = {
    started: 0,
    finished: 0,
    interrupted: 0,
    dropped: 0,
    late: 0,
    cancelled: 0,
  }
  readonly passesOk = new Histogram()
  readonly passesKo = new Histogram()

  constructor(population: string) {
    this.population = population
  }

  add(wire: PopulationWire): void {
    for (const counter of sessionCounters) this.sessions[counter] += wire[counter]
    if (wire.passesOk !== undefined) addEncoded(this.passesOk, wire.passesOk)
    if (wire.passesKo !== undefined) addEncoded(this.passesKo, wire.passesKo)
  }

  toWire(): PopulationWire | undefined {
    const passesOk = encodeIfAny(this.passesOk)
    const passesKo = encodeIfAny(this.passesKo)
    const counted = sessionCounters.some(counter => this.sessions[counter] > 0)
    if (!counted && passesOk === undefined && passesKo === undefined) return undefined
    return { population: this.population, ...this.sessions, passesOk, passesKo }
  }

  clear(): void {
    for (const counter of sessionCounters) this.sessions[counter] = 0
    this.passesOk.clear()
    this.passesKo.clear()
  }
}

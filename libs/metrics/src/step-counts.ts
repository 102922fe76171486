import type { OutcomeWire, StepWire } from '@onrush/protocol/frame'
import { Histogram } from './histogram.ts'
import { addEncoded, encodeIfAny } from './histogram-wire.ts'
import { raise, sortedPairs } from './pairs.ts'

export class OutcomeCounts {
  readonly duration = new Histogram()
  readonly service = new Histogram()
  readonly status = new Map<number, number>()
  bytesIn = 0
  bytesOut = 0

  add(wire: OutcomeWire): void {
    if (wire.duration !== undefined) addEncoded(this.duration, wire.duration)
    if (wire.service !== undefined) addEncoded(this.service, wire.service)
    for (const [status, times] of wire.status) raise(this.status, status, times)
    this.bytesIn += wire.bytesIn
    this.bytesOut += wire.bytesOut
  }

  toWire(): OutcomeWire | undefined {
    const duration = encodeIfAny(this.duration)
    const service = encodeIfAny(this.service)
    const { bytesIn, bytesOut } = this
    if (duration === undefined && service === undefined && this.status.size === 0 && bytesIn + bytesOut === 0) {
      return undefined
    }
    return { duration, service, bytesIn, bytesOut, status: sortedPairs(this.status) }
  }

  clear(): void {
    this.duration.clear()
    this.service.clear()
    this.status.clear()
    this.bytesIn = 0
    this.bytesOut = 0
  }
}

/** Everything that one step counted. */
export class StepCounts {
  readonly scenario: string
  readonly step: string
  readonly group: string | undefined
  readonly ok = new OutcomeCounts()
  readonly ko = new OutcomeCounts()
  readonly connect = new Histogram()
  readonly tls = new Histogram()
  readonly firstByte = new Histogram()
  readonly errors = new Map<string, number>()
  readonly checks = new Map<string, { passed: number; failed: number }>()

  constructor(at: { scenario: string; step: string; group?: string }) {
    this.scenario = at.scenario
    this.step = at.step
    this.group = at.group
  }

  get count(): number {
    return this.ok.duration.count + this.ko.duration.count
  }

  addCheck(label: string, passed: number, failed: number): void {
    const check = this.checks.get(label)
    if (check === undefined) this.checks.set(label, { passed, failed })
    else {
      check.passed += passed
      check.failed += failed
    }
  }

  add(wire: StepWire): void {
    if (wire.ok !== undefined) this.ok.add(wire.ok)
    if (wire.ko !== undefined) this.ko.add(wire.ko)
    if (wire.connect !== undefined) addEncoded(this.connect, wire.connect)
    if (wire.tls !== undefined) addEncoded(this.tls, wire.tls)
    if (wire.firstByte !== undefined) addEncoded(this.firstByte, wire.firstByte)
    for (const [kind, times] of wire.errors ?? []) raise(this.errors, kind, times)
    for (const [label, passed, failed] of wire.checks ?? []) this.addCheck(label, passed, failed)
  }

  /** Nothing when nothing was counted. */
  toWire(): StepWire | undefined {
    const ok = this.ok.toWire()
    const ko = this.ko.toWire()
    const connect = encodeIfAny(this.connect)
    const tls = encodeIfAny(this.tls)
    const firstByte = encodeIfAny(this.firstByte)
    const errors = this.errors.size === 0 ? undefined : sortedPairs(this.errors)
    const checks =
      this.checks.size === 0
        ? undefined
        : [...this.checks]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([label, { passed, failed }]): [string, number, number] => [label, passed, failed])
    if ([ok, ko, connect, tls, firstByte, errors, checks].every(part => part === undefined)) return undefined
    const { scenario, step, group } = this
    return { scenario, step, group, ok, ko, connect, tls, firstByte, errors, checks }
  }

  clear(): void {
    this.ok.clear()
    this.ko.clear()
    this.connect.clear()
    this.tls.clear()
    this.firstByte.clear()
    this.errors.clear()
    this.checks.clear()
  }
}

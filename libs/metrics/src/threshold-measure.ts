import type { Counts, HistogramWire, MetricWire, OutcomeWire, StepWire } from '@onrush/protocol/frame'
import { sessionCounters } from './group-counts.ts'
import { Histogram } from './histogram.ts'
import { addEncoded } from './histogram-wire.ts'
import type { Check, SelectorKey, Target } from './threshold-expression.ts'

/** What one threshold looks at, gathered from any number of frames. */
export class Measure {
  readonly #target: Target
  readonly #values = new Histogram()
  /** Events of an amount, or the hits of a share. */
  #part = 0
  #whole = 0
  #isShare = false
  #gauge: { value: number; at: number } | undefined

  constructor(target: Target) {
    this.#target = target
  }

  #wants(key: SelectorKey, value: string | undefined): boolean {
    return this.#target.selectors.every(each => each.key !== key || each.value === value)
  }

  #wantsStatus(status: number): boolean {
    return this.#target.selectors.every(({ key, value }) => {
      if (key !== 'status') return true
      return value.endsWith('xx') ? Math.floor(status / 100) === Number(value[0]) : String(status) === value
    })
  }

  #take(wire: HistogramWire | undefined): void {
    if (wire !== undefined) addEncoded(this.#values, wire)
  }

  /** How many values were added. */
  #counted(...wires: (HistogramWire | undefined)[]): number {
    const before = this.#values.count
    for (const wire of wires) this.#take(wire)
    return this.#values.count - before
  }

  add(counts: Counts): void {
    const { metric } = this.#target
    for (const step of counts.steps) {
      if (
        this.#wants('step', step.step) &&
        this.#wants('scenario', step.scenario) &&
        this.#wants('group', step.group)
      ) {
        this.#addStep(metric, step)
      }
    }
    for (const group of counts.groups) {
      if (metric !== 'group_duration') break
      if (!this.#wants('group', group.group) || !this.#wants('scenario', group.scenario)) continue
      if (this.#wants('outcome', 'ok')) this.#take(group.ok)
      if (this.#wants('outcome', 'ko')) this.#take(group.ko)
    }
    for (const population of counts.populations) {
      if (!this.#wants('scenario', population.population)) continue
      const counter = sessionCounters.find(name => name === metric)
      if (counter !== undefined) this.#part += population[counter]
      if (metric !== 'passes' && metric !== 'pass_duration') continue
      if (this.#wants('outcome', 'ok')) this.#part += this.#counted(population.passesOk)
      if (this.#wants('outcome', 'ko')) this.#part += this.#counted(population.passesKo)
    }
    if (metric === 'send_lag') this.#take(counts.generator.sendLag)
    if (metric === 'utilisation') this.#take(counts.generator.utilisation)
    for (const custom of counts.metrics) if (custom.name === metric && this.#wantsTags(custom)) this.#addCustom(custom)
  }

  /** The row without tags is the whole of its metric, so with a tag asked for only rows with tags count. */
  #wantsTags({ tags }: MetricWire): boolean {
    const wanted = this.#target.selectors.filter(({ key }) => key === 'tag')
    if (wanted.length === 0) return tags.length === 0
    return wanted.every(({ value }) => tags.some(([name, text]) => `${name}=${text}` === value))
  }

  #outcomes(step: StepWire): OutcomeWire[] {
    const ok = this.#wants('outcome', 'ok') ? step.ok : undefined
    const ko = this.#wants('outcome', 'ko') ? step.ko : undefined
    return [ok, ko].filter(outcome => outcome !== undefined)
  }

  #addStep(metric: string, step: StepWire): void {
    switch (metric) {
      case 'duration':
      case 'service':
        for (const outcome of this.#outcomes(step)) this.#take(outcome[metric])
        break
      case 'connect':
      case 'tls':
        this.#take(step[metric])
        break
      case 'first_byte':
        this.#take(step.firstByte)
        break
      case 'requests':
        for (const outcome of this.#outcomes(step)) this.#addRequests(outcome)
        break
      case 'failed': {
        const ko = this.#counted(step.ko?.duration)
        this.#addShare(ko, ko + this.#counted(step.ok?.duration))
        break
      }
      case 'errors':
        for (const [kind, times] of step.errors ?? []) if (this.#wants('kind', kind)) this.#part += times
        break
      case 'checks':
        for (const [label, passed, failed] of step.checks ?? []) {
          if (this.#wants('check', label)) this.#addShare(passed, passed + failed)
        }
        break
      case 'bytes_in':
        for (const outcome of this.#outcomes(step)) this.#part += outcome.bytesIn
        break
      case 'bytes_out':
        for (const outcome of this.#outcomes(step)) this.#part += outcome.bytesOut
        break
      default: // not of steps
    }
  }

  #addRequests(outcome: OutcomeWire): void {
    if (this.#target.selectors.some(({ key }) => key === 'status')) {
      for (const [status, times] of outcome.status) if (this.#wantsStatus(status)) this.#part += times
    } else {
      this.#part += this.#counted(outcome.duration)
    }
  }

  #addShare(part: number, whole: number): void {
    this.#isShare = true
    this.#part += part
    this.#whole += whole
  }

  #addCustom(wire: MetricWire): void {
    switch (wire.kind) {
      case 'counter':
        this.#part += wire.thousandths / 1000
        break
      case 'gauge':
        if (this.#gauge === undefined || wire.at >= this.#gauge.at) this.#gauge = { value: wire.value, at: wire.at }
        break
      case 'rate':
        this.#addShare(wire.hits, wire.total)
        break
      case 'trend':
        this.#take(wire.values)
        break
      default:
        wire satisfies never
    }
  }

  merge(other: Measure): void {
    this.#values.add(other.#values)
    this.#part += other.#part
    this.#whole += other.#whole
    this.#isShare ||= other.#isShare
    const theirs = other.#gauge
    if (theirs !== undefined && (this.#gauge === undefined || theirs.at >= this.#gauge.at)) this.#gauge = theirs
  }

  /** Milliseconds, counts, shares or per second; nothing when nothing was measured that could say. */
  value({ statistic, percent }: Pick<Check, 'statistic' | 'percent'>, elapsedMs: number): number | undefined {
    const values = this.#values
    const { metric } = this.#target
    const inUnit = (micros: number) => micros / (metric === 'utilisation' ? 1_000_000 : 1000)
    switch (statistic) {
      case 'count':
        if (metric === 'failed') return this.#part
        if (this.#isShare) return this.#whole
        return this.#part > 0 ? this.#part : values.count
      case 'rate':
        if (this.#isShare || isShareMetric(metric)) return this.#whole === 0 ? undefined : this.#part / this.#whole
        return elapsedMs <= 0 ? undefined : (this.#part * 1000) / elapsedMs
      case 'value':
        return this.#gauge?.value
      default:
    }
    if (values.count === 0) return undefined
    switch (statistic) {
      case 'avg':
        return inUnit(values.mean)
      case 'min':
        return inUnit(values.min)
      case 'max':
        return inUnit(values.max)
      case 'med':
        return inUnit(values.percentile(50))
      case 'p':
        return inUnit(values.percentile(percent ?? 100))
      default:
        return undefined
    }
  }
}

function isShareMetric(metric: string): boolean {
  return metric === 'failed' || metric === 'checks'
}

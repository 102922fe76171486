import type { MetricWire } from '@onrush/protocol/frame'
import { Histogram } from './histogram.ts'
import { addEncoded, encodeIfAny } from './histogram-wire.ts'
import type { CustomKind } from './metric-names.ts'

export type TagList = MetricWire['tags']

/** One custom metric, or the part of one that carries certain tags. Only the fields of its kind are used. */
export class MetricCounts {
  readonly kind: CustomKind
  readonly name: string
  readonly tags: TagList
  thousandths = 0
  hits = 0
  total = 0
  readonly values = new Histogram()
  #gauge: { value: number; at: number } | undefined

  constructor(of: { kind: CustomKind; name: string; tags: TagList }) {
    this.kind = of.kind
    this.name = of.name
    this.tags = of.tags
  }

  get gauge(): { value: number; at: number } | undefined {
    return this.#gauge
  }

  /** The latest wins; of two at one instant the larger, so that the order of merging does not matter. */
  setGauge(value: number, at: number): void {
    const known = this.#gauge
    if (known === undefined || at > known.at || (at === known.at && value > known.value)) this.#gauge = { value, at }
  }

  add(wire: MetricWire): void {
    switch (wire.kind) {
      case 'counter':
        this.thousandths += wire.thousandths
        break
      case 'gauge':
        this.setGauge(wire.value, wire.at)
        break
      case 'rate':
        this.hits += wire.hits
        this.total += wire.total
        break
      case 'trend':
        addEncoded(this.values, wire.values)
        break
      default:
        wire satisfies never
    }
  }

  toWire(): MetricWire | undefined {
    const { name, tags } = this
    switch (this.kind) {
      case 'counter':
        return this.thousandths === 0 ? undefined : { kind: 'counter', name, tags, thousandths: this.thousandths }
      case 'gauge':
        return this.#gauge === undefined ? undefined : { kind: 'gauge', name, tags, ...this.#gauge }
      case 'rate':
        return this.total + this.hits === 0
          ? undefined
          : { kind: 'rate', name, tags, hits: this.hits, total: this.total }
      case 'trend': {
        const values = encodeIfAny(this.values)
        return values === undefined ? undefined : { kind: 'trend', name, tags, values }
      }
      default:
        return this.kind satisfies never
    }
  }

  clear(): void {
    this.thousandths = 0
    this.hits = 0
    this.total = 0
    this.values.clear()
    this.#gauge = undefined
  }
}

import type { Counts } from '@onrush/protocol/frame'
import { GroupCounts, PopulationCounts } from './group-counts.ts'
import { Histogram } from './histogram.ts'
import { addEncoded, encodeIfAny } from './histogram-wire.ts'
import { MetricCounts } from './metric-counts.ts'
import { Samples } from './samples.ts'
import { StepCounts } from './step-counts.ts'
import { otherName } from './string-table.ts'

/**
 * Rows of one kind by name. Threads are bounded already; this bound only keeps a fleet whose threads all use different
 * names from filling its reporter's memory. Up to it the order of merging does not matter; past it totals stay exact.
 */
const mostRows = 2000

class Rows<Of, Row extends { toWire(): unknown; clear(): void }> {
  readonly #rows = new Map<string, Row>()
  readonly #key: (of: Of) => string
  readonly #make: (of: Of) => Row
  readonly #other: (of: Of) => Of

  constructor(key: (of: Of) => string, make: (of: Of) => Row, other: (of: Of) => Of) {
    this.#key = key
    this.#make = make
    this.#other = other
  }

  get(of: Of): Row {
    const key = this.#key(of)
    const known = this.#rows.get(key)
    if (known !== undefined) return known
    const other = this.#other(of)
    const folds = this.#rows.size >= mostRows && this.#key(other) !== key
    if (folds) return this.get(other)
    const made = this.#make(of)
    this.#rows.set(key, made)
    return made
  }

  values(): Iterable<Row> {
    return this.#rows.values()
  }

  toWire<W>(write: (row: Row) => W | undefined): W[] {
    const written: [string, W][] = []
    for (const [key, row] of this.#rows) {
      const wire = write(row)
      if (wire !== undefined) written.push([key, wire])
    }
    return written.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, wire]) => wire)
  }

  clear(): void {
    for (const row of this.#rows.values()) row.clear()
  }
}

type StepPlace = { scenario: string; step: string; group?: string }
type GroupPlace = { scenario: string; group: string }
type MetricPlace = Pick<MetricCounts, 'kind' | 'name' | 'tags'>

/** Everything that was counted, by name, ready to be added to. */
export class CountBook {
  readonly #steps = new Rows<StepPlace, StepCounts>(
    of => `${of.scenario}\n${of.step}\n${of.group ?? ''}`,
    of => new StepCounts(of),
    () => ({ scenario: otherName, step: otherName }),
  )
  readonly #groups = new Rows<GroupPlace, GroupCounts>(
    of => `${of.scenario}\n${of.group}`,
    of => new GroupCounts(of),
    () => ({ scenario: otherName, group: otherName }),
  )
  readonly #populations = new Rows<string, PopulationCounts>(
    of => of,
    of => new PopulationCounts(of),
    () => otherName,
  )
  readonly #metrics = new Rows<MetricPlace, MetricCounts>(
    // The whole of a metric sorts before its parts.
    of => `${of.name}\n${of.kind}\n${of.tags.length === 0 ? '' : JSON.stringify(of.tags)}`,
    of => new MetricCounts(of),
    of => ({ kind: of.kind, name: otherName, tags: of.tags.length === 0 ? [] : [[otherName, otherName]] }),
  )
  readonly sendLag = new Histogram()
  readonly utilisation = new Histogram()
  readonly samples = new Samples()

  step(of: StepPlace): StepCounts {
    return this.#steps.get(of)
  }

  group(of: GroupPlace): GroupCounts {
    return this.#groups.get(of)
  }

  population(name: string): PopulationCounts {
    return this.#populations.get(name)
  }

  metric(of: MetricPlace): MetricCounts {
    return this.#metrics.get(of)
  }

  steps(): Iterable<StepCounts> {
    return this.#steps.values()
  }

  groups(): Iterable<GroupCounts> {
    return this.#groups.values()
  }

  populations(): Iterable<PopulationCounts> {
    return this.#populations.values()
  }

  metrics(): Iterable<MetricCounts> {
    return this.#metrics.values()
  }

  add(counts: Counts): void {
    for (const wire of counts.steps) this.step(wire).add(wire)
    for (const wire of counts.groups) this.group(wire).add(wire)
    for (const wire of counts.populations) this.population(wire.population).add(wire)
    for (const wire of counts.metrics) this.metric(wire).add(wire)
    if (counts.generator.sendLag !== undefined) addEncoded(this.sendLag, counts.generator.sendLag)
    if (counts.generator.utilisation !== undefined) addEncoded(this.utilisation, counts.generator.utilisation)
    for (const sample of counts.samples) this.samples.add(sample)
  }

  toWire(): Counts {
    return {
      steps: this.#steps.toWire(row => row.toWire()),
      groups: this.#groups.toWire(row => row.toWire()),
      populations: this.#populations.toWire(row => row.toWire()),
      generator: { sendLag: encodeIfAny(this.sendLag), utilisation: encodeIfAny(this.utilisation) },
      metrics: this.#metrics.toWire(row => row.toWire()),
      samples: this.samples.toList(),
    }
  }

  /** Names stay, counts go: the next second counts the same names. */
  clear(): void {
    for (const rows of [this.#steps, this.#groups, this.#populations, this.#metrics]) rows.clear()
    this.sendLag.clear()
    this.utilisation.clear()
    this.samples.clear()
  }
}

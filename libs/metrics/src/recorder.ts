import { OnrushError } from '@onrush/protocol/error'
import { CounterRecorder, GaugeRecorder, RateRecorder, TrendRecorder } from './custom-recorders.ts'
import { Directory } from './directory.ts'
import { GeneratorRecorder } from './generator-recorder.ts'
import { builtInMetrics, type CustomKind, customKinds } from './metric-names.ts'
import { GroupRecorder, PopulationRecorder } from './population-recorder.ts'
import type { Row } from './rows.ts'
import { StepRecorder } from './step-recorder.ts'
import { longestName } from './string-table.ts'

export type Tags = Readonly<Record<string, string>>

const reserved = new Set<string>(builtInMetrics)

/** The same tags in any order are the same text. */
function writtenTags(tags: Tags): string {
  return JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Counts into one thread's memory. It is that memory's only writer; any thread may read along. */
export class Recorder {
  readonly generator: GeneratorRecorder
  readonly #directory: Directory
  readonly #kept = new Map<string, CounterRecorder | GaugeRecorder | RateRecorder | TrendRecorder>()

  constructor(memory: SharedArrayBuffer) {
    this.#directory = new Directory(memory)
    this.generator = new GeneratorRecorder(this.#directory.memory, this.#row('generator'))
  }

  #row(...of: Parameters<Directory['find']>): Row {
    return this.#directory.find(...of) ?? this.#directory.other(of[0])
  }

  step(at: { scenario: string; step: string; group?: string }): StepRecorder {
    return new StepRecorder(this.#directory, this.#row('step', at.scenario, at.step, at.group))
  }

  group(at: { scenario: string; group: string }): GroupRecorder {
    return new GroupRecorder(this.#directory.memory, this.#row('group', at.scenario, at.group))
  }

  population(name: string): PopulationRecorder {
    return new PopulationRecorder(this.#directory.memory, this.#row('population', name))
  }

  counter(name: string, tags?: Tags): CounterRecorder {
    return this.#custom(CounterRecorder, 'counter', name, tags)
  }

  gauge(name: string, tags?: Tags): GaugeRecorder {
    return this.#custom(GaugeRecorder, 'gauge', name, tags)
  }

  rate(name: string, tags?: Tags): RateRecorder {
    return this.#custom(RateRecorder, 'rate', name, tags)
  }

  trend(name: string, tags?: Tags): TrendRecorder {
    return this.#custom(TrendRecorder, 'trend', name, tags)
  }

  #custom<T extends CounterRecorder | GaugeRecorder | RateRecorder | TrendRecorder>(
    Kind: new (memory: Directory['memory'], rows: Row[]) => T,
    kind: CustomKind,
    name: string,
    tags: Tags = {},
  ): T {
    const written = writtenTags(tags)
    const key = `${kind} ${written} ${name}`
    const known = this.#kept.get(key)
    if (known instanceof Kind) return known
    this.#refuse(kind, name)
    const rows = [this.#row(kind, name)]
    const tagged =
      written === '[]' || written.length > longestName ? undefined : this.#directory.find(kind, name, written)
    if (tagged !== undefined) rows.push(tagged)
    const made = new Kind(this.#directory.memory, rows)
    // Code steps ask anew each time; those with endless tags must not fill this map instead of the memory.
    if (this.#kept.size < 2000) this.#kept.set(key, made)
    return made
  }

  #refuse(kind: CustomKind, name: string): void {
    if (reserved.has(name)) {
      throw new OnrushError('invalid', `"${name}" is measured by every run; give the ${kind} a name of its own`)
    }
    const id = this.#directory.strings.id(name)
    for (const other of customKinds) {
      if (other !== kind && this.#directory.rowsOf(other).some(row => row.names[0] === id)) {
        throw new OnrushError(
          'invalid',
          `"${name}" is a ${other} already; a metric has one kind, so not also a ${kind}`,
        )
      }
    }
  }
}

/**
 * For a thread that died, called by whoever outlives it: sessions it had started and not ended are interrupted, so that
 * the books balance. Answers how many there were.
 */
export function interruptRemaining(memory: SharedArrayBuffer): number {
  const directory = new Directory(memory)
  let sum = 0
  for (const row of directory.rowsOf('population')) {
    const population = new PopulationRecorder(directory.memory, row)
    const { active } = population
    population.interrupted(active)
    sum += active
  }
  return sum
}

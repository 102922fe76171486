import type { RowKind } from './blocks.ts'
import { type Bounds, type OpenMemory, openMemory } from './memory.ts'
import { absent, appendRow, type Row, readRow, rowCount } from './rows.ts'
import { otherKey } from './shared-table.ts'
import { StringWriter } from './string-table.ts'

const boundOf: Record<RowKind, keyof Bounds | undefined> = {
  generator: undefined,
  step: 'steps',
  group: 'groups',
  population: 'populations',
  counter: 'metrics',
  gauge: 'metrics',
  rate: 'metrics',
  trend: 'metrics',
}

/** The writer's side of the rows: finds, makes, and past the bound folds into `(other)`. */
export class Directory {
  readonly memory: OpenMemory
  readonly strings: StringWriter
  readonly #rows = new Map<string, Row>()
  readonly #used = new Map<keyof Bounds, number>()

  constructor(memory: SharedArrayBuffer) {
    this.memory = openMemory(memory)
    this.strings = new StringWriter(this.memory)
    for (let i = 0; i < rowCount(this.memory); i++) this.#note(readRow(this.memory, i))
  }

  #note(row: Row): void {
    this.#rows.set(`${row.kind} ${row.names.join(' ')}`, row)
    const bound = row.names[0] === otherKey ? undefined : this.#boundOf(row.kind, row.names)
    if (bound !== undefined) this.#used.set(bound, (this.#used.get(bound) ?? 0) + 1)
  }

  /** A custom metric's second name is its tags, which have a bound of their own. */
  #boundOf(kind: RowKind, names: Row['names']): keyof Bounds | undefined {
    const bound = boundOf[kind]
    return bound === 'metrics' && names[1] !== absent ? 'tagged' : bound
  }

  /** Nothing when a combination of tags finds no room: its metric's own row counts it all the same. */
  find(kind: RowKind, first?: string, second?: string, third?: string): Row | undefined {
    const id = (text: string | undefined) => (text === undefined ? absent : this.strings.id(text))
    const names: Row['names'] = [id(first), id(second), id(third)]
    const known = this.#rows.get(`${kind} ${names.join(' ')}`)
    if (known !== undefined) return known
    const bound = this.#boundOf(kind, names)
    if (bound !== undefined && (this.#used.get(bound) ?? 0) >= this.memory.bounds[bound]) {
      return bound === 'tagged' ? undefined : this.other(kind)
    }
    return names[0] === otherKey ? this.other(kind) : this.#append(kind, names)
  }

  other(kind: RowKind): Row {
    const plain = boundOf[kind] === 'metrics' || kind === 'population'
    const names: Row['names'] = [otherKey, plain ? absent : otherKey, absent]
    return this.#rows.get(`${kind} ${names.join(' ')}`) ?? this.#append(kind, names)
  }

  #append(kind: RowKind, names: Row['names']): Row {
    const row = appendRow(this.memory, kind, names)
    this.#note(row)
    return row
  }

  rowsOf(kind: RowKind): Row[] {
    return [...this.#rows.values()].filter(row => row.kind === kind)
  }
}

import type { TakenWords } from './taken-words.ts'

/**
 * A bounded table from a 32-bit key to counters, in shared memory: statuses, kinds of errors, checks. The key is written
 * before the number of slots in use is, so a reader never sees a count without its key. The last slot takes every key
 * past the bound.
 */
export const otherKey = 0xffffffff

export interface TableShape {
  readonly slots: number
  readonly columns: number
}

export function tableWords(shape: TableShape): number {
  return 1 + shape.slots * (1 + shape.columns)
}

export class SharedTable {
  readonly #words: Uint32Array
  readonly #at: number
  readonly #shape: TableShape
  readonly #known = new Map<number, number>()
  #lastKey = -1
  #lastSlot = 0

  constructor(words: Uint32Array, at: number, shape: TableShape) {
    this.#words = words
    this.#at = at
    this.#shape = shape
    for (let slot = 0; slot < (words[at] ?? 0); slot++) this.#known.set(words[at + 1 + slot] ?? 0, slot)
  }

  slot(key: number): number {
    if (key === this.#lastKey) return this.#lastSlot
    const slot = this.#known.get(key) ?? this.#claim(key)
    this.#lastKey = key
    this.#lastSlot = slot
    return slot
  }

  #claim(key: number): number {
    const used = this.#known.size
    const last = this.#shape.slots - 1
    if (used >= last && key !== otherKey) return this.slot(otherKey)
    this.#words[this.#at + 1 + used] = key
    this.#known.set(key, used)
    Atomics.store(this.#words, this.#at, used + 1)
    return used
  }

  add(slot: number, column: number): void {
    const at = this.#at + 1 + this.#shape.slots * (1 + column) + slot
    this.#words[at] = (this.#words[at] ?? 0) + 1
  }
}

/** What a table counted since the last time, row by row; rows without news are left out. */
export function takeTable(
  words: TakenWords,
  at: number,
  shape: TableShape,
  visit: (key: number, first: number, second: number) => void,
): void {
  const used = words.read(at)
  for (let slot = 0; slot < used; slot++) {
    const cell = at + 1 + shape.slots + slot
    const first = words.delta(cell)
    const second = shape.columns > 1 ? words.delta(cell + shape.slots) : 0
    if (first + second > 0) visit(words.read(at + 1 + slot), first, second)
  }
}

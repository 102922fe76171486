import { alignedWords, blocks, type RowKind, rowKinds } from './blocks.ts'
import { octaveSize } from './buckets.ts'
import { head, type OpenMemory, rowWords } from './memory.ts'
import { otherKey } from './shared-table.ts'

/** One line of the memory's directory: what is counted, under which names, and where. */
export interface Row {
  readonly kind: RowKind
  /** Numbers of names in the string table; `absent` where the kind has none. */
  readonly names: readonly [number, number, number]
  readonly at: number
}

/** Not a name's number: 2³² - 1 is `(other)`. */
export const absent = otherKey - 1

export function readRow(memory: OpenMemory, index: number): Row {
  const { words, places } = memory
  const at = places.rows + index * rowWords
  const word = (i: number) => words[at + i] ?? 0
  return { kind: rowKinds[word(0)] ?? 'generator', names: [word(1), word(2), word(3)], at: word(4) }
}

export function rowCount(memory: OpenMemory): number {
  return Atomics.load(memory.words, head.rows)
}

/** Writes the row, then publishes it: a reader never sees a count without its name. */
export function appendRow(memory: OpenMemory, kind: RowKind, names: Row['names']): Row {
  const { words, places } = memory
  const index = words[head.rows] ?? 0
  const free = words[head.arenaEnd] ?? 0
  const { words: size } = blocks[kind]
  // What holds buckets begins on a page of its own; mere counters stand close.
  const at = size > octaveSize ? alignedWords(free) : free
  const row = places.rows + index * rowWords
  words[row] = rowKinds.indexOf(kind)
  words[row + 1] = names[0]
  words[row + 2] = names[1]
  words[row + 3] = names[2]
  words[row + 4] = at
  words[head.arenaEnd] = at + size
  Atomics.store(words, head.rows, index + 1)
  return { kind, names, at }
}

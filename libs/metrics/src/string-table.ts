import { head, type OpenMemory, stringBytes, stringSlots } from './memory.ts'
import { otherKey } from './shared-table.ts'

/** Names are cut here: what is longer is no name, and a page has to show it. */
export const longestName = 300
export const otherName = '(other)'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Names in the shared memory, each once, so that counters can speak of them by number. */
export class StringWriter {
  readonly #memory: OpenMemory
  readonly #ids = new Map<string, number>()

  constructor(memory: OpenMemory) {
    this.#memory = memory
    const reader = new StringReader(memory)
    for (let id = 0; id < (memory.words[head.strings] ?? 0); id++) this.#ids.set(reader.text(id), id)
  }

  /** The number of a name; that of `(other)` once there is no room, which 8 MB of names take a while to reach. */
  id(text: string): number {
    const name = text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text
    return this.#ids.get(name) ?? this.#write(name)
  }

  #write(name: string): number {
    const { words, bytes, places } = this.#memory
    const id = words[head.strings] ?? 0
    const from = words[head.stringsEnd] ?? 0
    const encoded = encoder.encode(name)
    if (name === otherName || id >= stringSlots || from + encoded.length > stringBytes) return otherKey
    bytes.set(encoded, places.stringBytes * 4 + from)
    words[places.stringTable + id * 2] = from
    words[places.stringTable + id * 2 + 1] = encoded.length
    words[head.stringsEnd] = from + encoded.length
    Atomics.store(words, head.strings, id + 1)
    this.#ids.set(name, id)
    return id
  }
}

export class StringReader {
  readonly #memory: OpenMemory
  readonly #texts: string[] = []

  constructor(memory: OpenMemory) {
    this.#memory = memory
  }

  text(id: number): string {
    if (id === otherKey) return otherName
    const known = this.#texts[id]
    if (known !== undefined) return known
    const { words, bytes, places } = this.#memory
    const from = places.stringBytes * 4 + (words[places.stringTable + id * 2] ?? 0)
    const length = words[places.stringTable + id * 2 + 1] ?? 0
    // A copy: a decoder refuses memory that could change under it.
    const text = decoder.decode(bytes.slice(from, from + length))
    this.#texts[id] = text
    return text
  }
}

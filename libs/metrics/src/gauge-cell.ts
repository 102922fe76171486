/**
 * A double and its instant that another thread may read at any moment, even if the writer is killed halfway: two copies,
 * and a version whose lowest bit says which one is whole. The writer fills the other copy, then moves the version on.
 * All by 32-bit atomics, which every thread sees in one order; plain doubles would be allowed to arrive in halves.
 */
export const gaugeWords = 9
const copyWords = 4

const pair = new Float64Array(2)
const halves = new Uint32Array(pair.buffer)

function copyAt(at: number, version: number): number {
  return at + 1 + (version & 1) * copyWords
}

export function setGauge(words: Uint32Array, at: number, value: number, atMs: number): void {
  const version = (words[at] ?? 0) + 1
  const copy = copyAt(at, version)
  pair[0] = value
  pair[1] = atMs
  for (let i = 0; i < copyWords; i++) Atomics.store(words, copy + i, halves[i] ?? 0)
  Atomics.store(words, at, version)
}

/** Nothing when it was never set, or when the writer overtook every attempt (then the next second has it). */
export function readGauge(words: Uint32Array, at: number): { version: number; value: number; at: number } | undefined {
  for (let attempt = 0; attempt < 100; attempt++) {
    const version = Atomics.load(words, at)
    if (version === 0) return undefined
    const copy = copyAt(at, version)
    for (let i = 0; i < copyWords; i++) halves[i] = Atomics.load(words, copy + i)
    if (Atomics.load(words, at) === version) return { version, value: pair[0] ?? 0, at: pair[1] ?? 0 }
  }
  return undefined
}

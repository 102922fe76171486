/**
 * A counter wider than 32 bits in memory that another thread reads while it grows. A 64-bit word could be seen half
 * written, and a carry would need a lock, so the value is added in pieces of 11 bits, each to a 32-bit word of its own
 * that only ever grows (and wraps). A reader takes differences word by word: a value caught in the middle goes partly
 * into the next second, and nothing is lost. A word holds 2³² / 2¹¹ = 2 million additions between two readings.
 */
export const wideWords = 5
const pieceBits = 11
const piece = 2 ** pieceBits

/** `value` is a whole number up to 2⁵³. */
export function addWide(words: Uint32Array, at: number, value: number): void {
  if (value < piece) {
    words[at] = (words[at] ?? 0) + value
    return
  }
  let rest = value
  for (let i = 0; rest > 0; i++) {
    const low = rest % piece
    words[at + i] = (words[at + i] ?? 0) + low
    rest = (rest - low) / piece
  }
}

/** What was added since the last call; `delta` answers by how much a word has grown. */
export function takeWide(delta: (word: number) => number, at: number): number {
  let sum = 0
  for (let i = wideWords - 1; i >= 0; i--) sum = sum * piece + delta(at + i)
  return sum
}

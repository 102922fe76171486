import { mix } from './random.ts'

const rounds = 8

/**
 * A seeded permutation of 0…size−1 in constant memory: where each number goes is computed, not looked up. A Feistel
 * network permutes the next larger even power of two; a result outside the range is permuted again until it falls inside,
 * which takes fewer than four tries on average (up to sixteen for the smallest sizes) and keeps the whole a permutation.
 */
export function permutation(size: number, seed: number): (index: number) => number {
  if (size <= 1) return index => index
  const half = Math.max(2, Math.ceil(Math.log2(size) / 2))
  const radix = 2 ** half
  const keys = roundKeys(seed)
  return index => {
    let value = index
    do {
      let left = Math.floor(value / radix)
      let right = value % radix
      for (const key of keys) {
        const scrambled = (mix(mix(right ^ key) + key) >>> 0) % radix
        ;[left, right] = [right, (left ^ scrambled) >>> 0]
      }
      value = left * radix + right
    } while (value >= size)
    return value
  }
}

function roundKeys(seed: number): number[] {
  const high = Math.floor(seed / 2 ** 32)
  return Array.from({ length: rounds }, (_, round) => mix(mix(seed ^ mix(round + 1)) ^ mix(high + round)))
}

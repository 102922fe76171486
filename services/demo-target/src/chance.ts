/**
 * A number in [0, 1) that depends on nothing but `seed` and `n`: the n-th outcome is the same in every run, whatever
 * was drawn before it. The mixing is that of murmur3's finaliser, in which every input bit reaches every output bit.
 */
export function chance(seed: number, n: number): number {
  let h = (seed ^ Math.imul(n, 0x9e37_79b9)) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35)
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32
}

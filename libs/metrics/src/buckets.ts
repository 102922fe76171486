/**
 * HdrHistogram's layout for 1 µs to 1 h at 3 significant digits. 2 · 10³ rounded up to a power of two gives 2048 buckets
 * of 1 µs; each further octave halves the resolution and needs only its upper 1024. 2048 · 2²¹ > 3.6 · 10⁹ µs, so there
 * are 1 + 22 blocks of 1024, and a bucket is never wider than 1/1024 of its values.
 */
export const octaveSize = 1024
export const octaves = 23
export const bucketCount = octaves * octaveSize

/** One hour. Longer is counted as one hour, shorter than half a microsecond as 0. */
export const highestMicros = 3_600_000_000

/** The whole microseconds that are counted: always an unsigned 32-bit integer (an hour is above 2³¹ and below 2³²). */
export function toMicros(micros: number): number {
  if (micros >= highestMicros) return highestMicros
  return micros > 0 ? (micros + 0.5) >>> 0 : 0
}

/** How many low bits of a value its bucket does not tell apart. clz32(2047) is 21: everything below 2048 has its own bucket. */
export function shiftOf(value: number): number {
  return 21 - Math.clz32(value | 2047)
}

export function bucketOf(value: number): number {
  const shift = shiftOf(value)
  return shift * octaveSize + (value >>> shift)
}

export function lowestOf(bucket: number): number {
  if (bucket < 2 * octaveSize) return bucket
  // 11 bits moved up by at most 21: an unsigned 32-bit integer, and far quicker than a power.
  return (((bucket & 1023) + octaveSize) << ((bucket >>> 10) - 1)) >>> 0
}

export function widthOf(bucket: number): number {
  return bucket < 2 * octaveSize ? 1 : 1 << ((bucket >>> 10) - 1)
}

export function highestOf(bucket: number): number {
  return lowestOf(bucket) + widthOf(bucket) - 1
}

export function middleOf(bucket: number): number {
  return lowestOf(bucket) + Math.floor(widthOf(bucket) / 2)
}

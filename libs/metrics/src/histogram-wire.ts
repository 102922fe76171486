import { OnrushError } from '@onrush/protocol/error'
import type { HistogramWire } from '@onrush/protocol/frame'
import { bucketCount, lowestOf } from './buckets.ts'
import { Histogram } from './histogram.ts'

/**
 * Each bucket that counted something is two numbers: how many empty buckets lie before it, and its count. A number is
 * written five bits at a time, the lowest first, one base64 character each, the sixth bit saying that more follow. That
 * is delta + varint without a detour over bytes: neighbours and small counts take one character each.
 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const characters = new TextEncoder().encode(alphabet)
const digits = new Int8Array(128).fill(-1)
for (let i = 0; i < characters.length; i++) digits[characters[i] ?? 0] = i

const ascii = new TextDecoder('latin1')
// Two numbers of at most 4 and 11 characters for each of 23,552 buckets; written and read within one call.
const scratch = new Uint8Array(bucketCount * 16)

function put(at: number, value: number): number {
  let rest = value
  let next = at
  while (rest >= 32) {
    scratch[next++] = characters[32 + (rest % 32)] ?? 0
    rest = Math.floor(rest / 32)
  }
  scratch[next++] = characters[rest] ?? 0
  return next
}

export function encodeHistogram(histogram: Histogram): HistogramWire {
  let length = 0
  let expected = 0
  histogram.scan((bucket, times) => {
    length = put(length, bucket - expected)
    length = put(length, times)
    expected = bucket + 1
    return true
  })
  const min = Number.isFinite(histogram.min) ? histogram.min : 0
  return { min, max: histogram.max, sum: histogram.sum, buckets: ascii.decode(scratch.subarray(0, length)) }
}

function broken(why: string): OnrushError {
  return new OnrushError(
    'invalid',
    `a histogram in a frame is broken: ${why}; was the frame cut or changed on its way?`,
  )
}

/** Hands over every bucket, from the lowest up. */
function readBuckets(text: string, visit: (bucket: number, times: number) => void): void {
  const { length } = text
  let at = 0
  let bucket = 0
  let isCount = false
  while (at < length) {
    let digit = digits[text.charCodeAt(at++)] ?? -1
    let value = digit & 31
    let scale = 32
    while (digit >= 32) {
      if (at >= length) throw broken('its buckets end in the middle')
      digit = digits[text.charCodeAt(at++)] ?? -1
      value += (digit & 31) * scale
      scale *= 32
    }
    if (digit < 0) throw broken(`character ${at} is not base64`)
    if (isCount) {
      if (value === 0 || value > Number.MAX_SAFE_INTEGER) throw broken(`a bucket counts ${value}`)
      visit(bucket, value)
      bucket++
    } else {
      bucket += value
      if (bucket >= bucketCount) throw broken(`bucket ${bucket} is past the last of ${bucketCount}`)
    }
    isCount = !isCount
  }
  if (isCount) throw broken('its buckets end in the middle')
}

/** Throws on everything that `addEncoded` could stumble over halfway. */
export function checkEncoded(wire: HistogramWire): void {
  let lowest = 0
  readBuckets(wire.buckets, (bucket, times) => {
    lowest += times * lowestOf(bucket)
  })
  if (wire.sum < lowest) throw broken(`its sum ${wire.sum} is below ${lowest}, the least its buckets can hold`)
  if (wire.min > wire.max) throw broken(`its least value ${wire.min} is above its greatest ${wire.max}`)
}

export function addEncoded(target: Histogram, wire: HistogramWire): void {
  readBuckets(wire.buckets, (bucket, times) => target.addBucket(bucket, times))
  target.sum += wire.sum
  // Without buckets it may still carry an extreme that came after its bucket (see histogram-taker).
  if (wire.buckets.length > 0 || wire.max > 0) target.widen(wire.min, wire.max)
}

export function decodeHistogram(wire: HistogramWire): Histogram {
  const histogram = new Histogram()
  addEncoded(histogram, wire)
  return histogram
}

/** For optional rows: nothing counted, nothing sent. */
export function encodeIfAny(histogram: Histogram): HistogramWire | undefined {
  return histogram.count === 0 && histogram.max === 0 ? undefined : encodeHistogram(histogram)
}

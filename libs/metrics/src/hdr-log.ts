import { deflateSync } from 'node:zlib'
import { highestMicros } from './buckets.ts'
import type { Histogram } from './histogram.ts'

// The cookies of HdrHistogram's V2 encoding; 0x10 in the lowest byte says that counts are ZigZag LEB128.
const plainCookie = 0x1c849303 | 0x10
const compressedCookie = 0x1c849304 | 0x10
const headBytes = 40

/** Counts as positive numbers, runs of empty buckets as negative ones, seven bits a byte. */
function zigZag(into: number[], value: number): void {
  let rest = value >= 0 ? value * 2 : -value * 2 - 1
  while (rest >= 128) {
    into.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  into.push(rest)
}

/** HdrHistogram's own compressed form, which every port of it reads. */
export function toCompressedBase64(histogram: Histogram): string {
  const payload: number[] = []
  let expected = 0
  histogram.scan((bucket, times) => {
    const empty = bucket - expected
    if (empty > 0) zigZag(payload, empty === 1 ? 0 : -empty)
    zigZag(payload, times)
    expected = bucket + 1
    return true
  })
  const plain = Buffer.alloc(headBytes + payload.length)
  plain.writeUInt32BE(plainCookie, 0)
  plain.writeUInt32BE(payload.length, 4)
  plain.writeUInt32BE(0, 8) // no offset of the indexes
  plain.writeUInt32BE(3, 12) // significant digits
  plain.writeBigUInt64BE(1n, 16)
  plain.writeBigUInt64BE(BigInt(highestMicros), 24)
  plain.writeDoubleBE(1, 32)
  plain.set(payload, headBytes)
  const deflated = deflateSync(plain)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(compressedCookie, 0)
  head.writeUInt32BE(deflated.length, 4)
  return Buffer.concat([head, deflated]).toString('base64')
}

export interface LogInterval {
  /** Milliseconds since the run started. */
  readonly from: number
  readonly to: number
  readonly tag?: string
  readonly histogram: Histogram
}

/** A log in HdrHistogram's format 1.3: microseconds in the histograms, milliseconds in the column of maxima. */
export function hdrLog(intervals: Iterable<LogInterval>, startedAtMs: number): string {
  const lines = [
    '#[Histogram log format version 1.3]',
    `#[StartTime: ${(startedAtMs / 1000).toFixed(3)} (seconds since epoch), ${new Date(startedAtMs).toISOString()}]`,
    `#[BaseTime: ${(startedAtMs / 1000).toFixed(3)} (seconds since epoch)]`,
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
  ]
  for (const { from, to, tag, histogram } of intervals) {
    // Commas and spaces separate the fields of a line, so a tag cannot hold any.
    const prefix = tag === undefined ? '' : `Tag=${tag.replaceAll(/[\s,]+/g, '_')},`
    const times = `${(from / 1000).toFixed(3)},${((to - from) / 1000).toFixed(3)}`
    lines.push(`${prefix}${times},${(histogram.max / 1000).toFixed(3)},${toCompressedBase64(histogram)}`)
  }
  return `${lines.join('\n')}\n`
}

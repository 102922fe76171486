import { build } from 'hdr-histogram-js'
import { describe, expect, it } from 'vitest'
import { Histogram } from './histogram.ts'
import { decodeHistogram } from './histogram-wire.ts'
import { allocateMemory } from './memory.ts'
import { Recorder } from './recorder.ts'
import { ShardFrames } from './shard-frames.ts'
import { Totals } from './totals.ts'

/** A fixed million: three services in one, 0.2 to 1.2 ms, 20 to 80 ms, and a tail up to 9 s. */
function fixedLatencies(): Uint32Array {
  const latencies = new Uint32Array(1_000_000)
  let seed = 42
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  for (let i = 0; i < latencies.length; i++) {
    const kind = random()
    const value = kind < 0.7 ? 200 + random() * 1000 : kind < 0.98 ? 20_000 + random() * 60_000 : 1e5 + random() * 9e6
    latencies[i] = Math.round(value)
  }
  return latencies
}

const latencies = fixedLatencies()
const sorted = latencies.toSorted()
const percents = [1, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 100]

/** Dealt over so many threads' memories, taken ten times, added up in an order that has nothing to do with time. */
function through(recorders: number): Totals {
  const shards = Array.from({ length: recorders }, (_, i) => {
    const memory = allocateMemory({ steps: 2, groups: 1, populations: 1, metrics: 1, tagged: 1 })
    const step = new Recorder(memory).step({ scenario: 'all', step: 'one' })
    return { step, frames: new ShardFrames({ run: 'million', shard: `shard ${i}`, memories: [memory] }) }
  })
  const frames = []
  for (let second = 0; second < 10; second++) {
    for (let i = second * 100_000; i < (second + 1) * 100_000; i++) {
      shards[i % recorders]?.step.record(true, 200, latencies[i] ?? 0, latencies[i] ?? 0, 10, 1)
    }
    for (const { frames: source } of shards) frames.push(source.take((second + 1) * 1000, { final: second === 9 }))
  }
  const totals = new Totals()
  for (const frame of frames.toReversed()) expect(totals.add(frame)).toBe('merged')
  // A retry delivers some again.
  for (const frame of frames.slice(3, 9)) expect(totals.add(frame)).toBe('duplicate')
  return totals
}

function durationOf(totals: Totals): Histogram {
  const wire = totals.toFrame().counts.steps[0]?.ok?.duration
  return wire === undefined ? new Histogram() : decodeHistogram(wire)
}

describe('one million fixed latencies', () => {
  const one = through(1)

  it.each([2, 8, 16])('through %i recorders are what they are through one', recorders => {
    expect(through(recorders).toFrame().counts).toEqual(one.toFrame().counts)
  })

  it('are within 0.1 % of the sorted array, and exact in count, sum, least and greatest', () => {
    const duration = durationOf(one)
    expect(duration.count).toBe(1_000_000)
    expect(duration.sum).toBe(latencies.reduce((sum, value) => sum + value, 0))
    expect([duration.min, duration.max]).toEqual([sorted[0], sorted.at(-1)])
    for (const percent of percents) {
      const exact = sorted[Math.ceil((percent / 100) * sorted.length - 1e-6) - 1] ?? Number.NaN
      expect(Math.abs(duration.percentile(percent) - exact)).toBeLessThanOrEqual(exact / 1000)
      expect(duration.percentile(percent)).toBeLessThanOrEqual(duration.max)
    }
  })

  it('are what HdrHistogram makes of them', () => {
    const oracle = build({
      bitBucketSize: 32,
      lowestDiscernibleValue: 1,
      highestTrackableValue: 3_600_000_000,
      numberOfSignificantValueDigits: 3,
    })
    for (const value of latencies) oracle.recordValue(value)
    const duration = durationOf(one)
    for (const percent of percents) {
      expect(duration.percentile(percent)).toBe(Math.min(oracle.getValueAtPercentile(percent), duration.max))
    }
  })

  it('every second alone keeps its percentiles below its maximum, too', () => {
    const memory = allocateMemory({ steps: 1, groups: 1, populations: 1, metrics: 1, tagged: 1 })
    const step = new Recorder(memory).step({ scenario: 'all', step: 'one' })
    const frames = new ShardFrames({ run: 'r', shard: 's', memories: [memory] })
    for (let second = 0; second < 20; second++) {
      let largest = 0
      let least = Number.POSITIVE_INFINITY
      for (let i = 0; i < 50; i++) {
        const value = latencies[second * 50 + i] ?? 0
        largest = Math.max(largest, value)
        least = Math.min(least, value)
        step.record(true, 200, value, value, 0, 0)
      }
      const wire = frames.take((second + 1) * 1000).counts.steps[0]?.ok?.duration
      const duration = wire === undefined ? new Histogram() : decodeHistogram(wire)
      expect(duration.percentile(99)).toBeLessThanOrEqual(duration.max)
      expect(Math.abs(duration.max - largest)).toBeLessThanOrEqual(largest / 1000)
      expect(Math.abs(duration.min - least)).toBeLessThanOrEqual(least / 1000)
    }
  })
})

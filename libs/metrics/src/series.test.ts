import type { Frame } from '@onrush/protocol/frame'
import { describe, expect, it } from 'vitest'
import { foldFrames } from './frame.ts'
import { allocateMemory } from './memory.ts'
import { Recorder } from './recorder.ts'
import { Series } from './series.ts'
import { ShardFrames } from './shard-frames.ts'

/** In second n a session starts and n requests are made, of n ms each, the last of them failing. */
function framesOf(shard: string, seconds: number, skewMs: number): Frame[] {
  const memory = allocateMemory({ steps: 1, groups: 1, populations: 1, metrics: 1, tagged: 1 })
  const recorder = new Recorder(memory)
  const step = recorder.step({ scenario: 's', step: 'x' })
  const frames = new ShardFrames({ run: 'r', shard, memories: [memory] })
  return Array.from({ length: seconds }, (_, i) => {
    const n = i + 1
    recorder.population('p').started()
    if (n % 2 === 0) recorder.population('p').finished()
    for (let k = 1; k <= n; k++) step.record(k < n, 200, n * 1000, 500, 10, 1)
    return frames.take(n * 1000 + skewMs)
  })
}

const frames = [...framesOf('a', 30, 4), ...framesOf('b', 30, -7)]

describe('a series', () => {
  it('has one point a second for all shards together, whatever the order', () => {
    const series = new Series()
    for (const frame of frames.toReversed()) series.add(frame)
    for (const frame of frames) expect(series.add(frame)).toBe('duplicate')
    const points = series.points()
    expect(points).toHaveLength(30)
    expect(points[9]).toMatchObject({
      at: 9000,
      span: 1000,
      requests: 20,
      rate: 20,
      failed: 2,
      started: 2,
      bytesIn: 200,
    })
    expect(points[9]?.duration).toMatchObject({ p50: 10, p99: 10, max: 10 })
    expect(points[9]?.service?.p99).toBe(0.5)
    expect(points.map(({ active }) => active).slice(0, 5)).toEqual([2, 2, 4, 4, 6])
  })

  it('joins neighbours exactly', () => {
    const series = new Series()
    for (const frame of frames) series.add(frame)
    const fine = series.points()
    const coarse = series.points(10)
    expect(coarse).toHaveLength(10)
    const sum = (points: typeof fine) => points.reduce((total, { requests }) => total + requests, 0)
    expect(sum(coarse)).toBe(sum(fine))
    expect(coarse[0]).toMatchObject({ at: 0, span: 3000, requests: 12, rate: 4, active: 4 })
    // 2 of 1 ms, 4 of 2 ms, 6 of 3 ms.
    expect(coarse[0]?.duration).toMatchObject({ max: 3 })
    expect(series.points()).toEqual(fine)
  })

  /** A hundred requests a second, taken at these times; a gap leaves the time before it out. */
  function takenAt(times: readonly number[], gap?: number): Series {
    const memory = allocateMemory({ steps: 1, groups: 1, populations: 1, metrics: 1, tagged: 1 })
    const step = new Recorder(memory).step({ scenario: 's', step: 'x' })
    const source = new ShardFrames({ run: 'r', shard: 'a', memories: [memory] })
    const series = new Series()
    let before = 0
    for (const at of times) {
      for (let i = 0; i < (at - before) / 10; i++) step.record(true, 200, 1000 * (i + 1), 1000, 0, 0)
      const frame = source.take(at)
      if (at !== gap) series.add(frame)
      before = at
    }
    return series
  }
  const rates = (series: Series, atMost?: number) => series.points(atMost).map(({ at, span, rate }) => [at, span, rate])

  it('rates a last second that was not whole by what it covers', () => {
    expect(rates(takenAt([1000, 1600]))).toEqual([
      [0, 1000, 100],
      [1000, 600, 100],
    ])
  })

  it('counts a stub at the end with the point before it, and loses nothing', () => {
    const series = takenAt([1000, 2000, 2010])
    expect(rates(series)).toEqual([
      [0, 1000, 100],
      [1000, 1010, 100],
    ])
    expect(series.points().map(({ requests }) => requests)).toEqual([100, 101])
    expect(series.points()[1]?.duration?.max).toBe(takenAt([1000, 2000]).points()[1]?.duration?.max)
    expect(rates(takenAt([1000, 2000, 3000, 4000, 4010]), 3)).toEqual([
      [0, 2000, 100],
      [2000, 2010, 100],
    ])
  })

  it('takes no stub for a rate where nothing was measured before it', () => {
    expect(rates(takenAt([1000, 2000, 3000, 3010], 3000))).toEqual([
      [0, 1000, 100],
      [1000, 1000, 100],
      [3000, 1000, 1],
    ])
  })

  it('rates a run that is shorter than a second by what there is', () => {
    expect(rates(takenAt([200]))).toEqual([[0, 200, 100]])
  })

  it('shows a folded frame as one wide point', () => {
    const series = new Series()
    series.add(foldFrames(framesOf('a', 30, 0)))
    expect(series.points()).toMatchObject([{ at: 0, span: 30_000, requests: 465, rate: 15.5 }])
  })

  it('has no points before the first frame', () => {
    expect(new Series().points()).toEqual([])
  })
})

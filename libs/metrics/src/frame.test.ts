import type { Frame } from '@onrush/protocol/frame'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldFrames, parseFrame } from './frame.ts'
import { allocateMemory } from './memory.ts'
import { Recorder } from './recorder.ts'
import { ShardFrames } from './shard-frames.ts'
import { Totals } from './totals.ts'

/** Three shards of four seconds each, with everything in them that a frame can hold. */
function someFrames(): Frame[] {
  return ['a', 'b', 'c'].flatMap((shard, which) => {
    const memory = allocateMemory({ steps: 5, groups: 2, populations: 2, metrics: 5, tagged: 5 })
    const recorder = new Recorder(memory)
    const frames = new ShardFrames({ run: 'r', shard, memories: [memory] })
    return [1, 2, 3, 4].map(second => {
      for (let i = 0; i < 40; i++) {
        const step = recorder.step({ scenario: 's', step: `step ${i % 3}`, ...(i % 2 === 0 ? {} : { group: 'g' }) })
        step.record(i % 7 !== 0, 200 + (i % 5), 997 * i * second + which, 331 * i, i, 2 * i)
        if (i % 7 === 0) step.error(`kind ${i % 4}`)
        step.check(step.checkIndex(`check ${i % 2}`), i % 3 === 0)
      }
      recorder.population('p').started()
      recorder.population('p').pass(true, second * 5000)
      recorder.generator.sendLag(which * 100)
      recorder.counter('c', { shard }).add(second / 4)
      recorder.gauge('g').set(which, second * 1000)
      recorder.rate('h').add(second % 2 === 0)
      recorder.trend('t').add(second)
      frames.addSample({ scenario: 's', step: 'step 0', kind: 'kind 0', at: second * 10 + which, message: 'no' })
      return frames.take(second * 1000 + which, { final: second === 4 })
    })
  })
}

const frames = someFrames()
const whole = foldFrames(frames).counts

describe('frames', () => {
  it('survive JSON and their own schema', () => {
    for (const frame of frames) {
      const text = JSON.stringify(frame)
      expect(JSON.stringify(parseFrame(JSON.parse(text)))).toBe(text)
    }
  })

  it('add up the same in any order, with any of them again', () => {
    const some = fc.shuffledSubarray(frames, { minLength: 0 })
    fc.assert(
      fc.property(fc.shuffledSubarray(frames, { minLength: frames.length }), some, (order, again) => {
        const totals = new Totals()
        for (const frame of [...order, ...again]) totals.add(frame)
        expect(totals.toFrame()).toEqual(foldFrames(frames))
      }),
      { numRuns: 30 },
    )
  })

  it('add up the same however they are grouped, folded and folded again', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 }), groups => {
        const folded = [0, 1, 2, 3]
          .map(group => frames.filter((_, i) => groups[i] === group))
          .filter(part => part.length > 0)
          .map(part => parseFrame(JSON.parse(JSON.stringify(foldFrames(part)))))
        expect(foldFrames(folded)).toEqual(foldFrames(frames))
      }),
      { numRuns: 30 },
    )
  })

  it('that were folded are known by what they cover', () => {
    const totals = new Totals()
    const [first, second, third, fourth] = frames.filter(({ covers }) => covers[0]?.[0] === 'a')
    if (!first || !second || !third || !fourth) throw new Error('expected four frames of the shard')
    expect(totals.add(foldFrames([first, second]))).toBe('merged')
    expect(totals.add(second)).toBe('duplicate')
    expect(totals.add(foldFrames([second, third]))).toBe('overlap')
    expect(totals.add(fourth)).toBe('merged')
    expect(totals.missing()).toEqual([{ shard: 'a', first: 3, last: 3 }])
    expect(totals.add(third)).toBe('merged')
    expect(totals.missing()).toEqual([])
    expect(totals.toFrame()).toEqual(foldFrames([first, second, third, fourth]))
    expect(() => foldFrames([first, second, foldFrames([second, third])])).toThrow(/got one that is both/)
  })

  it('keep the latest gauge, the earliest samples, and exact sums', () => {
    expect(whole.metrics.find(({ kind }) => kind === 'gauge')).toMatchObject({ value: 2, at: 4000 })
    expect(whole.samples.map(({ at }) => at)).toEqual([10, 11, 12])
    expect(
      whole.metrics
        .filter(({ kind }) => kind === 'counter')
        .map(metric => ('thousandths' in metric ? metric.thousandths : 0)),
    ).toEqual([7500, 2500, 2500, 2500])
  })

  it('of another run are refused', () => {
    const totals = new Totals()
    const [first] = frames
    if (first === undefined) throw new Error('expected a frame')
    totals.add(first)
    expect(() => totals.add({ ...first, run: 'other' })).toThrow(/expected a frame of the run r, got one of other/)
  })

  it('of a newer version are refused with what to do', () => {
    expect(() => parseFrame({ ...frames[0], v: 2 })).toThrow(
      expect.objectContaining({ code: 'version_mismatch', message: expect.stringContaining('version 2') }),
    )
  })

  it.each([
    ['no object', 'text'],
    ['a missing field', { v: 1 }],
    [
      'negative counts',
      { ...frames[0], counts: { ...whole, metrics: [{ kind: 'rate', name: 'x', tags: [], hits: -1, total: 1 }] } },
    ],
    [
      'a cut histogram',
      { ...frames[0], counts: { ...whole, generator: { sendLag: { min: 0, max: 5, sum: 5, buckets: 'F' } } } },
    ],
  ])('with %s are refused before anything is counted', (_, json) => {
    expect(() => parseFrame(json)).toThrow(expect.objectContaining({ code: 'invalid' }))
  })

  it('past the bound of names fold, and lose nothing', () => {
    const [frame] = frames
    const step = frame?.counts.steps[0]
    if (frame === undefined || step === undefined) throw new Error('expected a frame with a step')
    const totals = new Totals()
    for (let i = 0; i < 2100; i++) {
      totals.add({
        ...frame,
        covers: [['x', [[i + 1, i + 1]]]],
        counts: { ...frame.counts, steps: [{ ...step, step: `${i}` }] },
      })
    }
    const { steps } = totals.toFrame().counts
    const bytes = (all: typeof steps) => all.reduce((sum, { ok }) => sum + (ok?.bytesIn ?? 0), 0)
    expect(steps).toHaveLength(2001)
    expect(bytes(steps)).toBe(2100 * (step.ok?.bytesIn ?? 0))
    expect(bytes(steps.filter(({ step: name }) => name === '(other)'))).toBe(100 * (step.ok?.bytesIn ?? 0))
  })
})

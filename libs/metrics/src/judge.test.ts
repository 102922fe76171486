import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkBooks } from './books.ts'
import { generatorVerdict } from './generator-verdict.ts'
import { allocateMemory } from './memory.ts'
import { Recorder } from './recorder.ts'
import { ShardFrames } from './shard-frames.ts'
import { Totals } from './totals.ts'

function counted(count: (recorder: Recorder) => void): Totals {
  const memory = allocateMemory({ steps: 1, groups: 1, populations: 1, metrics: 1, tagged: 1 })
  count(new Recorder(memory))
  const totals = new Totals()
  totals.add(new ShardFrames({ run: 'r', shard: 's', memories: [memory] }).take(1000, { final: true }))
  return totals
}

const times = (count: number, run: (i: number) => void) => {
  for (let i = 0; i < count; i++) run(i)
}

describe('the verdict on the generator', () => {
  it.each([
    { what: 'nothing at all', lags: 0, slow: 0, started: 0, dropped: 0, missed: 0, valid: true },
    { what: 'on time', lags: 10_000, slow: 0, started: 10_000, dropped: 0, missed: 0, valid: true },
    {
      what: 'exactly 1 % slow: the p99 is still below',
      lags: 10_000,
      slow: 100,
      started: 0,
      dropped: 0,
      missed: 0,
      valid: true,
    },
    { what: 'more than 1 % slow', lags: 10_000, slow: 101, started: 0, dropped: 0, missed: 0, valid: false },
    { what: 'one slow start of fifty: chance', lags: 50, slow: 1, started: 50, dropped: 0, missed: 0, valid: true },
    {
      what: 'every start of thirty slow: no chance',
      lags: 30,
      slow: 30,
      started: 30,
      dropped: 0,
      missed: 0,
      valid: false,
    },
    { what: 'exactly 0.1 % dropped', lags: 0, slow: 0, started: 19_980, dropped: 20, missed: 0, valid: true },
    { what: 'more than 0.1 % dropped', lags: 0, slow: 0, started: 19_979, dropped: 21, missed: 0, valid: false },
    { what: 'three of a hundred dropped: chance', lags: 0, slow: 0, started: 97, dropped: 3, missed: 0, valid: true },
    { what: 'lost with a worker', lags: 0, slow: 0, started: 1000, dropped: 0, missed: 1000, valid: false },
  ])('$what', ({ lags, slow, started, dropped, missed, valid }) => {
    const totals = counted(recorder => {
      times(lags, i => recorder.generator.sendLag(i < slow ? 25_000 : 300))
      const population = recorder.population('p')
      times(started, () => population.started())
      times(dropped, () => population.dropped())
    })
    const verdict = generatorVerdict(totals, { missed })
    expect(verdict.valid).toBe(valid)
    expect(verdict.reasons).toHaveLength(valid ? 0 : 1)
  })

  it('says in words what was wrong and what to do', () => {
    const totals = counted(recorder => times(200, i => recorder.generator.sendLag(i < 50 ? 40_000 : 100)))
    expect(generatorVerdict(totals).reasons[0]).toMatch(
      /^sent late: 25\.0 % of 200 requests left more than 10 ms after .* use more threads/,
    )
  })

  it('has limits that can be set', () => {
    const totals = counted(recorder => times(200, () => recorder.generator.sendLag(40_000)))
    expect(generatorVerdict(totals, { limits: { sendLagMs: 50 } }).valid).toBe(true)
  })

  it('warns of busy threads and late sessions without condemning the run', () => {
    const totals = counted(recorder => {
      times(20, i => recorder.generator.utilisation(i < 5 ? 0.99 : 0.4))
      times(100, () => recorder.population('p').started())
      times(20, () => recorder.population('p').late())
    })
    const { valid, warnings } = generatorVerdict(totals)
    expect(valid).toBe(true)
    expect(warnings).toEqual([
      expect.stringContaining('20 of 100 sessions (20.0 %) started late'),
      expect.stringContaining('busy in 5 of 20 seconds'),
    ])
  })
})

describe('the books', () => {
  const part = fc.nat(1_000_000)

  it('balance when every arrival went somewhere', () => {
    fc.assert(
      fc.property(part, part, part, part, part, part, (finished, interrupted, active, dropped, cancelled, missed) => {
        const started = finished + interrupted + active
        const planned = started + dropped + cancelled + missed
        expect(checkBooks({ planned, started, dropped, cancelled, missed, finished, interrupted, active })).toEqual([])
      }),
    )
  })

  it('name the one that does not, and by how much', () => {
    const books = { planned: 10, started: 6, dropped: 1, cancelled: 1, missed: 1, finished: 6, interrupted: 1 }
    expect(checkBooks(books)).toEqual([
      'planned 10 arrivals, but started 6 + dropped 1 + cancelled 1 + missed 1 = 9: 1 unaccounted for',
      'started 6 sessions, but finished 6 + interrupted 1 = 7: 1 too many',
    ])
  })

  it('leave the plan out where there was none', () => {
    expect(checkBooks({ started: 3, dropped: 0, cancelled: 0, missed: 0, finished: 3, interrupted: 0 })).toEqual([])
  })
})

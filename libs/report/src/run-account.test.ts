import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildReport } from './build-report.ts'
import { RunAccount } from './run-account.ts'
import { sampleEnd, sampleFrames, sampleHeader, sampleRun } from './sample-run.testing.ts'

const options = { seconds: 12, perSecond: 5, workers: 3 }

it('adds up what all workers counted', () => {
  const report = buildReport(sampleRun(options))
  const requests = 12 * 5 * 3 * 3
  expect(report.totals).toMatchObject({ planned: 180, started: 180, requests, active: 0 })
  expect(report.summary.whole.count).toBe(requests)
  expect(report.workers.map(worker => worker.requests)).toEqual([180, 180, 180])
  expect(report.workers.reduce((sum, worker) => sum + worker.failed, 0)).toBe(report.totals.failed)
  expect(report.failures.reduce((sum, failure) => sum + failure.count, 0)).toBe(report.totals.failed)
  expect(report.series.reduce((sum, point) => sum + point.requests, 0)).toBe(requests)
  expect(report.startSkewMs).toBe(2)
})

it('does not depend on the order of the frames, nor on frames that come twice', () => {
  const frames = sampleFrames(options)
  const expected = buildReport({ header: sampleHeader(options), frames, end: sampleEnd(options) })
  fc.assert(
    fc.property(fc.shuffledSubarray([...frames, ...frames], { minLength: frames.length * 2 }), shuffled => {
      const report = buildReport({ header: sampleHeader(options), frames: shuffled, end: sampleEnd(options) })
      expect(report.summary).toEqual(expected.summary)
      expect(report.failures).toEqual(expected.failures)
      expect(report.series).toEqual(expected.series)
      expect(report.frame).toEqual(expected.frame)
      expect(report.workers).toEqual(expected.workers)
    }),
    { numRuns: 5 },
  )
})

describe('the verdict', () => {
  const verdict = (thresholds: Record<string, string[]>, generator = {}) =>
    buildReport(sampleRun({ ...options, header: { thresholds, generator } })).verdict

  it('is passed when every threshold held, or none was set', () => {
    expect(verdict({ duration: ['p(95)<5000'] })).toBe('passed')
    expect(verdict({})).toBe('passed')
  })
  it('is failed when one did not', () => {
    expect(verdict({ duration: ['p(95)<5000', 'p(95)<1'] })).toBe('failed')
  })
  it('is failed when nothing was measured for one', () => {
    expect(verdict({ 'duration{step:never run}': ['p(95)<5000'] })).toBe('failed')
  })
  it('is invalid when the generator did not keep up, whatever the thresholds say', () => {
    expect(verdict({ duration: ['p(95)<1'] }, { lagP99: '0ms' })).toBe('invalid')
  })
})

it('lists steps as the script does', () => {
  const steps = ['log in', 'item', 'buy'].map(step => ({ scenario: 'buyer', step }))
  const { summary, stepSeries } = buildReport(sampleRun({ ...options, header: { steps } }))
  expect(summary.steps.map(({ step }) => step)).toEqual(['log in', 'item', 'buy'])
  expect(stepSeries.map(({ step }) => step)).toEqual(['log in', 'item', 'buy'])
})

it('names a worker that never said how it ended, and how much it would have done', () => {
  const { header, frames, end } = sampleRun(options)
  const { workers } = buildReport({ header, frames, end: { ...end, workers: end.workers.slice(1) } })
  expect(workers.map(({ id, status }) => [id, status])).toEqual([
    ['w1', 'lost'],
    ['w2', 'finished'],
    ['w3', 'finished'],
  ])
  expect(workers[0]?.share).toBeCloseTo(1 / 3)
})

it('makes a report of a run in which nothing happened', () => {
  const report = new RunAccount(sampleHeader()).toReport({ ...sampleEnd(), workers: [], elapsedMs: 0 })
  expect(report.totals.requests).toBe(0)
  expect(report.frame).toBeUndefined()
  expect(report.distribution).toEqual([])
})

it('keeps what a long run did exact while it joins its seconds', () => {
  const long = { seconds: 1000, perSecond: 1, steps: ['only'] }
  const { stepSeries, series, totals } = buildReport(sampleRun(long))
  expect(stepSeries[0]?.span).toBe(8000)
  expect(stepSeries[0]?.requests.reduce((sum, each) => sum + each, 0)).toBe(totals.requests)
  expect(series.reduce((sum, point) => sum + point.failed, 0)).toBe(totals.failed)
})

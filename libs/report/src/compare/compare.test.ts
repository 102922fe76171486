import { compareReports } from '@onrush/protocol/compare-reports'
import { beyondNoise } from '@onrush/protocol/noise'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildReport } from '../build-report.ts'
import { sampleRun } from '../sample-run.testing.ts'
import { failOnFromText, faultsOfFailOn, judge } from './fail-on.ts'

const baseline = buildReport(sampleRun({ seconds: 30, perSecond: 10 }))
const slower = buildReport(sampleRun({ seconds: 30, perSecond: 10, slower: 1.5 }))
const faster = buildReport(sampleRun({ seconds: 30, perSecond: 10, slower: 0.5 }))

describe('the noise', () => {
  const around = (middle: number) => Array.from({ length: 30 }, (_, i) => middle + ((i * 7) % 5) - 2)
  it('hides a difference smaller than itself', () => {
    expect(beyondNoise(0.1, around(100), around(100.1))).toBe(false)
  })
  it('does not hide a clear one', () => {
    expect(beyondNoise(10, around(100), around(110))).toBe(true)
  })
  it('cannot be told from a few seconds', () => {
    expect(beyondNoise(10, [100, 101], around(110))).toBeUndefined()
  })
  it('rarely calls two runs of the same kind different', () => {
    const normal = fc.array(fc.double({ min: 90, max: 110, noNaN: true }), { minLength: 40, maxLength: 40 })
    let called = 0
    fc.assert(
      fc.property(normal, normal, (a, b) => {
        const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
        if (beyondNoise(mean(a) - mean(b), a, b) === true) called++
      }),
      { numRuns: 300, seed: 1 },
    )
    expect(called).toBeLessThan(60)
  })
})

describe('a comparison', () => {
  it('of a run with itself finds nothing', () => {
    const { rows, warnings } = compareReports([baseline, baseline])
    expect(
      rows.flatMap(({ others }) => others).every(({ change, beyondNoise: beyond }) => change === 0 && beyond === false),
    ).toBe(true)
    expect(warnings).toEqual([])
  })
  it('puts regressions first and says by how much', () => {
    const { rows } = compareReports([baseline, slower])
    expect(rows[0]?.name).toMatch(/p(50|95|99)/)
    expect(rows[0]?.others[0]).toMatchObject({ worse: true, beyondNoise: true })
    const p50 = rows.find(({ name }) => name === 'p50 from due')
    expect(p50?.others[0]?.change).toBeCloseTo(0.5, 1)
  })
  it('knows what is better', () => {
    const { rows } = compareReports([baseline, faster])
    expect(rows[0]?.others[0]).toMatchObject({ worse: false, beyondNoise: true })
  })
  it('holds several runs against the first', () => {
    const { rows, runs } = compareReports([baseline, faster, slower])
    expect(runs).toHaveLength(3)
    expect(rows[0]?.others).toHaveLength(2)
  })
  it('shows a step that only one of them has', () => {
    const other = buildReport(sampleRun({ seconds: 30, perSecond: 10, steps: ['log in', 'pay'] }))
    const { rows } = compareReports([baseline, other])
    expect(rows.find(({ name }) => name === 'buyer › pay: p95 from due')).toMatchObject({ baseline: undefined })
    expect(rows.find(({ name }) => name === 'buyer › buy: p95 from due')?.others[0]?.value).toBeUndefined()
  })
  it('warns when the runs are not of a kind', () => {
    const other = buildReport(sampleRun({ seconds: 20, perSecond: 10, header: { simulation: { hash: 'other' } } }))
    expect(compareReports([baseline, { ...other, verdict: 'invalid' }]).warnings).toEqual([
      expect.stringContaining('another load plan'),
      expect.stringContaining('another script'),
      expect.stringContaining('did not keep up'),
    ])
  })
})

describe('a difference that must not be', () => {
  it.each([
    ['p(95)>+5%', true],
    ['p(95) > 5%', true],
    ['p(95)>+80%', false],
    ['duration{step:log in}:med>+5%', true],
    ['duration:p(50)>+5', true],
    ['duration:p(50)>+500', false],
    ['failed:rate>+1%', false],
    ['requests:rate<-10%', false],
    ['requests:count<=0', true],
  ])('%s: %s', (text, failed) => {
    const failOn = failOnFromText(text)
    if (typeof failOn === 'string') throw new Error(failOn)
    expect(faultsOfFailOn(failOn, [baseline, slower])).toEqual([])
    expect(judge(failOn, baseline, slower)).toMatchObject({ text, failed })
  })

  it.each(['', 'p(95)', 'p(95)>', 'p(95)>x%', '>5%', 'p(95)=5%'])('is not said by %j', text => {
    expect(failOnFromText(text)).toContain('expected a difference like')
  })

  it.each([
    ['durration:p(95)>5%', /durration/],
    ['duration{step:log on}:p(95)>5%', /log on/],
    ['failed:p(95)>5%', /p\(95\)|rate/],
  ])('is refused when no run knows it: %s', (text, message) => {
    const failOn = failOnFromText(text)
    if (typeof failOn === 'string') throw new Error(failOn)
    expect(faultsOfFailOn(failOn, [baseline]).join()).toMatch(message)
  })

  it('holds when nothing was measured', () => {
    const failOn = failOnFromText('p(95)>+5%')
    if (typeof failOn === 'string') throw new Error(failOn)
    const { frame: _frame, ...empty } = slower
    expect(judge(failOn, baseline, empty)).toMatchObject({ failed: true, detail: expect.stringContaining('nothing') })
  })
})

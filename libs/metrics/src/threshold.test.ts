import type { Frame } from '@onrush/protocol/frame'
import type { Thresholds } from '@onrush/protocol/threshold'
import { describe, expect, it } from 'vitest'
import { allocateMemory } from './memory.ts'
import { Recorder } from './recorder.ts'
import { ShardFrames } from './shard-frames.ts'
import { checkThresholds, type Known } from './threshold-check.ts'
import { parseTarget } from './threshold-expression.ts'
import { ThresholdMonitor } from './threshold-monitor.ts'

function run(seconds: number, count: (recorder: Recorder, second: number) => void, shard = 'a'): Frame[] {
  const memory = allocateMemory({ steps: 5, groups: 5, populations: 5, metrics: 5, tagged: 5 })
  const recorder = new Recorder(memory)
  const frames = new ShardFrames({ run: 'r', shard, memories: [memory] })
  return Array.from({ length: seconds }, (_, i) => {
    count(recorder, i + 1)
    return frames.take((i + 1) * 1000, { final: i + 1 === seconds })
  })
}

function judged(thresholds: Thresholds, frames: readonly Frame[]) {
  const monitor = new ThresholdMonitor(thresholds)
  for (const frame of frames) monitor.add(frame)
  return monitor.results({ final: true })
}

/** Ten seconds; in each: 90 logins of 20 ms, 10 failed ones of 400 ms with status 503, 50 items of 5 ms. */
const frames = run(10, (recorder, second) => {
  const login = recorder.step({ scenario: 'buyer', step: 'log in', group: 'entry' })
  const item = recorder.step({ scenario: 'reader', step: 'item, big: red' })
  for (let i = 0; i < 90; i++) login.record(true, 200, 20_000, 10_000, 100, 10)
  for (let i = 0; i < 10; i++) {
    login.record(false, 503, 400_000, 300_000, 50, 10)
    login.error('status')
  }
  for (let i = 0; i < 50; i++) item.record(true, 201, 5000, 4000, 10, 10)
  login.firstByte(8000)
  const check = login.checkIndex('$.status $eq 200')
  for (let i = 0; i < 100; i++) login.check(check, i < 90)
  recorder.group({ scenario: 'buyer', group: 'entry' }).record(true, 700_000)
  recorder.population('buyer').started()
  recorder.population('buyer').pass(true, 900_000)
  recorder.generator.sendLag(250)
  recorder.generator.utilisation(0.25)
  recorder.counter('orders', { region: 'eu' }).add(2)
  recorder.counter('orders', { region: 'us' }).add(3)
  recorder.gauge('queue').set(second, second * 1000)
  recorder.rate('cached').add(second % 5 === 0)
  recorder.trend('render').add(12)
})

describe('a threshold over the whole run', () => {
  it.each([
    ['duration', 'p(50)<=20.1', 20.015],
    ['duration', 'p(95)<500', 400],
    ['duration', 'max<=400', 400],
    ['duration', 'min>=5', 5],
    ['duration', 'count==1500', 1500],
    ['duration{step:log in}', 'avg<60', 58],
    ['duration{step:log in,outcome:ok}', 'p(99.9)<=20', 20],
    ['duration{scenario:reader}', 'med<6', 5],
    ['duration{group:entry}', 'count==1000', 1000],
    ['duration{step:"item, big: red"}', 'count==500', 500],
    ['service', 'p(50)<=10.1', 10.007],
    ['first_byte', 'max<=8', 8],
    ['failed', 'rate<0.07', 100 / 1500],
    ['failed', 'count<=100', 100],
    ['failed{step:log in}', 'rate<=0.1', 0.1],
    ['requests', 'count==1500', 1500],
    ['requests', 'rate>=150', 150],
    ['requests{status:503}', 'count<=100', 100],
    ['requests{status:2xx}', 'count==1400', 1400],
    ['requests{outcome:ko}', 'rate<=10', 10],
    ['errors{kind:status}', 'count<=100', 100],
    ['checks', 'rate>=0.9', 0.9],
    ['checks{check:$.status $eq 200}', 'count==1000', 1000],
    ['bytes_in', 'count==100000', 100_000],
    ['group_duration{group:entry}', 'max<=700', 700],
    ['pass_duration', 'avg<=900', 900],
    ['passes', 'count==10', 10],
    ['started{scenario:buyer}', 'count==10', 10],
    ['dropped', 'count==0', 0],
    ['send_lag', 'p(99)<10', 0.25],
    ['utilisation', 'max<0.9', 0.25],
    ['orders', 'count==50', 50],
    ['orders{tag:region=us}', 'count==30', 30],
    ['queue', 'value==10', 10],
    ['cached', 'rate==0.2', 0.2],
    ['render', 'p(50)<=12', 12],
  ])('%s: %s', (metric, check, value) => {
    const [result] = judged({ [metric]: [check] }, frames)
    expect(result?.value).toBeCloseTo(value, 6)
    expect(result).toMatchObject({ metric, check, passed: true })
  })

  it('fails with the figure', () => {
    expect(judged({ duration: ['p(95)<300'] }, frames)).toEqual([
      {
        metric: 'duration',
        check: 'p(95)<300',
        abort: false,
        passed: false,
        value: 400,
        detail: 'duration: p(95)<300 did not hold: 400',
      },
    ])
  })

  it('fails where nothing was measured, and says so', () => {
    const [result] = judged({ 'duration{step:nothing}': ['p(95)<300'] }, frames)
    expect(result).toMatchObject({ passed: false, detail: expect.stringContaining('nothing was measured') })
    expect(result?.value).toBeUndefined()
  })

  it('is the same for any number of shards, any order, and frames that come again', () => {
    const thresholds: Thresholds = { duration: ['p(95)<300', { check: 'avg<100', over: '3s' }], failed: ['rate<0.5'] }
    const other = frames.map(frame => ({
      ...frame,
      covers: frame.covers.map(([, ranges]) => ['b', ranges] as [string, typeof ranges]),
    }))
    const both = [...frames, ...other]
    expect(judged(thresholds, [...both.toReversed(), ...both]).map(({ value }) => value)).toEqual(
      judged(thresholds, both).map(({ value }) => value),
    )
  })
})

/** Fast, but for seconds 11 to 13. */
const hiccup = run(30, (recorder, second) => {
  const step = recorder.step({ scenario: 's', step: 'x' })
  for (let i = 0; i < 100; i++) step.record(true, 200, second >= 11 && second <= 13 ? 900_000 : 10_000, -1, 0, 0)
})

describe('a threshold with a window or a warm-up', () => {
  it('sees what the whole run hides', () => {
    const [whole, window] = judged({ duration: ['p(80)<500', { check: 'p(80)<500', over: '5s' }] }, hiccup)
    expect(whole?.passed).toBe(true)
    expect(window).toMatchObject({ passed: false, over: 5000, value: 900, failedAt: 12_000 })
    expect(window?.detail).toMatch(/in the 5 s before 12 s/)
  })

  it('leaves the warm-up out', () => {
    const slowStart = run(10, (recorder, second) =>
      recorder.step({ scenario: 's', step: 'x' }).record(true, 200, second <= 3 ? 900_000 : 10_000, -1, 0, 0),
    )
    const [plain, after, rate] = judged(
      { duration: ['max<100', { check: 'max<100', after: '3s' }], requests: [{ check: 'rate==1', after: '3s' }] },
      slowStart,
    )
    expect(plain?.passed).toBe(false)
    expect(after).toMatchObject({ passed: true, value: 10.007, after: 3000 })
    expect(rate).toMatchObject({ passed: true, value: 1 })
  })

  it('rates a window by its own length', () => {
    const [result] = judged({ requests: [{ check: 'rate>=100', over: '10s' }] }, hiccup)
    expect(result).toMatchObject({ passed: true, value: 100 })
  })

  it('judges a run shorter than its window by what there is', () => {
    expect(judged({ duration: [{ check: 'max<100', over: '2m' }] }, hiccup)).toMatchObject([
      { passed: false, value: 900 },
    ])
  })

  it('says that it was not judged yet while it was not', () => {
    const monitor = new ThresholdMonitor({ duration: [{ check: 'max<1', over: '1m' }] })
    for (const frame of hiccup) monitor.add(frame)
    expect(monitor.results()).toMatchObject([{ passed: true, detail: expect.stringContaining('not judged yet') }])
    expect(monitor.results({ final: true })).toMatchObject([{ passed: false }])
  })

  it('asks for the end of the run as soon as it is broken, and only then', () => {
    const monitor = new ThresholdMonitor({
      duration: [
        { check: 'max<5', abort: false },
        { check: 'max<500', abort: true },
      ],
    })
    const asked = hiccup.map(frame => {
      monitor.add(frame)
      return monitor.aborting()?.check
    })
    expect(asked.indexOf('max<500')).toBe(10)
    expect(asked.slice(0, 10).every(check => check === undefined)).toBe(true)
  })
})

describe('the check of thresholds', () => {
  const known: Known = {
    steps: ['log in', 'item'],
    scenarios: ['buyer'],
    groups: ['entry'],
    checks: ['$.status $eq 200'],
    metrics: [{ name: 'orders', kind: 'counter' }],
    open: false,
  }
  const faults = (metric: string, check = 'count<1', open = false) =>
    checkThresholds({ [metric]: [check] }, { ...known, open }).map(({ message }) => message)

  it('passes what exists', () => {
    expect(faults('duration{step:log in}', 'p(95)<1')).toEqual([])
    expect(faults('orders{tag:region=eu}')).toEqual([])
    expect(faults('requests{status:5xx,step:item}')).toEqual([])
  })

  it.each([
    ['duraton', 'p(95)<1', /there is no metric "duraton"; did you mean "duration"\? known are duration, service/],
    ['latency', 'p(95)<1', /there is no metric "latency"; known are duration.*orders/],
    ['duration{step:login}', 'p(95)<1', /there is no step "login"; did you mean "log in"\?/],
    ['duration{stap:log in}', 'p(95)<1', /can be selected by step, scenario, group, outcome; did you mean "step"\?/],
    ['duration{status:200}', 'p(95)<1', /duration can be selected by/],
    ['send_lag{step:item}', 'p(95)<1', /send_lag takes no selector/],
    ['requests{status:oops}', 'count<1', /expected a status like 404, or a class like 5xx/],
    ['requests{outcome:bad}', 'count<1', /there is no outcome "bad"; known are ok, ko/],
    ['orders{tag:region}', 'count<1', /expected a tag like tag:region=eu/],
    ['duration', 'rate<1', /duration has no "rate"; it has avg, min, med, max, p\(n\), count/],
    ['duration', 'p<1', /expected a percentile above 0 and up to 100/],
    ['duration', 'p(101)<1', /expected a percentile above 0 and up to 100/],
    ['duration', 'avg(5)<1', /only p takes a number/],
    ['duration{', 'avg<1', /expected a metric like/],
    ['orders', 'p(95)<1', /orders has no "p"; it has count, rate/],
  ])('says of %s: %s what is wrong', (metric, check, message) => {
    expect(faults(metric, check)).toEqual([expect.stringMatching(message)])
  })

  it('gives every fault its place, all at once', () => {
    const found = checkThresholds(
      { duraton: ['p(95)<1'], duration: ['avg<1', 'rate<1', { check: 'max<1', over: '10ms' }] },
      known,
    )
    expect(found.map(({ path }) => path)).toEqual([
      '$.thresholds["duraton"]',
      '$.thresholds["duration"][1]',
      '$.thresholds["duration"][2]',
    ])
  })

  it('lets functions make names, but not near misses', () => {
    expect(faults('my_own_metric', 'count<1', true)).toEqual([])
    expect(faults('duration{step:made by code}', 'p(95)<1', true)).toEqual([])
    expect(faults('duraton', 'p(95)<1', true)).toHaveLength(1)
    expect(faults('duration{step:login}', 'p(95)<1', true)).toHaveLength(1)
  })
})

describe('a target', () => {
  it('takes commas, colons and quotes inside values', () => {
    expect(parseTarget('duration{step:a, b, scenario : "c, step:d" }')).toEqual({
      metric: 'duration',
      selectors: [
        { key: 'step', value: 'a, b' },
        { key: 'scenario', value: 'c, step:d' },
      ],
    })
    expect(parseTarget('duration{}')).toEqual({ metric: 'duration', selectors: [] })
    expect(parseTarget('duration{step}')).toBeUndefined()
  })
})

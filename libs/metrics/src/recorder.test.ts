import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { CountBook } from './count-book.ts'
import { decodeHistogram } from './histogram-wire.ts'
import { allocateMemory } from './memory.ts'
import { RecorderReader } from './reader.ts'
import { interruptRemaining, Recorder } from './recorder.ts'
import { ShardFrames } from './shard-frames.ts'
import { summarise } from './summary.ts'
import { Totals } from './totals.ts'

function taken(memory: SharedArrayBuffer): Totals {
  const totals = new Totals()
  totals.add(new ShardFrames({ run: 'r', shard: 's', memories: [memory] }).take(1000, { final: true }))
  return totals
}

describe('a recorder', () => {
  it('counts everything there is to count', () => {
    const memory = allocateMemory()
    const recorder = new Recorder(memory)
    const step = recorder.step({ scenario: 'buyer', step: 'log in', group: 'entry' })
    step.record(true, 200, 1500, 1000, 5000, 200)
    step.record(true, 304, 2500, 2000, 3_000_000_000, 0)
    step.record(false, 500, 3500, 3000, 100, 200)
    step.error('assertion')
    step.record(false, -1, 9000, -1, 0, 0)
    step.error('connection refused')
    step.connect(400)
    step.tls(700)
    step.firstByte(900)
    const check = step.checkIndex('$.status $eq 200')
    step.check(check, true)
    step.check(check, true)
    step.check(check, false)
    recorder.group({ scenario: 'buyer', group: 'entry' }).record(true, 12_000)
    const population = recorder.population('buyer')
    population.started()
    population.started()
    population.finished()
    population.dropped()
    population.late()
    population.cancelled(5_000_000_000)
    population.pass(false, 20_000)
    recorder.generator.sendLag(150)
    recorder.generator.utilisation(0.5)
    recorder.counter('bytes', { region: 'eu' }).add(1.5)
    recorder.counter('bytes').add(2)
    recorder.gauge('depth').set(-3.25, 700)
    recorder.rate('hit', { b: '2', a: '1' }).add(true)
    recorder.rate('hit', { a: '1', b: '2' }).add(false)
    recorder.trend('render').add(12.5)

    const summary = summarise(taken(memory))
    expect(summary.steps).toHaveLength(1)
    expect(summary.steps[0]).toMatchObject({
      scenario: 'buyer',
      step: 'log in',
      group: 'entry',
      count: 4,
      ok: 2,
      ko: 2,
      failed: 0.5,
      rate: 4,
      duration: { count: 4, min: 1.5, max: 9, mean: 4.125 },
      service: { count: 3, min: 1, max: 3, mean: 2 },
      durationOk: { count: 2 },
      connect: { max: 0.4 },
      tls: { max: 0.7 },
      firstByte: { max: 0.9 },
      bytesIn: 3_000_005_100,
      bytesOut: 400,
      status: [
        { status: 200, count: 1 },
        { status: 304, count: 1 },
        { status: 500, count: 1 },
      ],
      checks: [{ label: '$.status $eq 200', passed: 2, failed: 1 }],
    })
    expect(summary.steps[0]?.errors).toEqual([
      { kind: 'assertion', count: 1 },
      { kind: 'connection refused', count: 1 },
    ])
    expect(summary.groups).toMatchObject([{ group: 'entry', ok: 1, duration: { max: 12 } }])
    expect(summary.sessions).toEqual({
      started: 2,
      finished: 1,
      interrupted: 0,
      dropped: 1,
      late: 1,
      cancelled: 5_000_000_000,
      active: 1,
    })
    expect(summary.populations).toMatchObject([{ population: 'buyer', passes: 1, passesFailed: 1 }])
    expect(summary.generator).toMatchObject({ sendLag: { max: 0.15 }, utilisation: { max: 0.5 } })
    expect(summary.metrics).toMatchObject([
      { name: 'bytes', kind: 'counter', tags: [], sum: 3.5 },
      { name: 'bytes', kind: 'counter', tags: [['region', 'eu']], sum: 1.5 },
      { name: 'depth', kind: 'gauge', value: -3.25 },
      { name: 'hit', kind: 'rate', tags: [], hits: 1, total: 2, share: 0.5 },
      {
        name: 'hit',
        kind: 'rate',
        tags: [
          ['a', '1'],
          ['b', '2'],
        ],
        hits: 1,
        total: 2,
      },
      { name: 'render', kind: 'trend', values: { count: 1, max: 12.5 } },
    ])
  })

  it('gives each reading only what is new, and the readings together everything', () => {
    const memory = allocateMemory()
    const step = new Recorder(memory).step({ scenario: 's', step: 'x' })
    const frames = new ShardFrames({ run: 'r', shard: 's', memories: [memory] })
    step.record(true, 200, 1000, 1000, 7, 7)
    expect(frames.take(1000).counts.steps[0]?.ok).toMatchObject({ bytesIn: 7, status: [[200, 1]] })
    expect(frames.take(2000).counts.steps).toEqual([])
    step.record(true, 200, 5_000_000, 5_000_000, 9, 9)
    const third = frames.take(3000)
    expect(third).toMatchObject({ from: 2000, to: 3000, covers: [['s', [[3, 3]]]] })
    expect(third.counts.steps[0]?.ok?.bytesIn).toBe(9)
    expect(
      decodeHistogram(third.counts.steps[0]?.ok?.duration ?? { min: 0, max: 0, sum: 0, buckets: '' }),
    ).toMatchObject({
      count: 1,
      sum: 5_000_000,
      max: 5_000_000,
    })
  })

  it('goes on counting where words wrap', () => {
    const memory = allocateMemory()
    const step = new Recorder(memory).step({ scenario: 's', step: 'x' })
    const reader = new RecorderReader(memory)
    const book = new CountBook()
    // 2047 is the most that one piece of a sum takes at once: two million of them fill its 32 bits.
    for (let reading = 0; reading < 3; reading++) {
      for (let i = 0; i < 1_500_000; i++) step.record(true, 200, 4_194_303, -1, 2047, 0)
      reader.takeInto(book, { final: reading === 2 })
    }
    const { ok } = book.step({ scenario: 's', step: 'x' })
    expect(ok.bytesIn).toBe(4_500_000 * 2047)
    expect(ok.duration.sum).toBe(4_500_000 * 4_194_303)
  })

  it('keeps a bounded number of names, and every count', () => {
    const memory = allocateMemory({ steps: 3 })
    const recorder = new Recorder(memory)
    for (let i = 0; i < 10; i++)
      recorder.step({ scenario: 's', step: `step ${i}` }).record(true, 200, 100 * i, -1, 1, 0)
    const { steps, whole } = summarise(taken(memory))
    expect(steps.map(({ step, count }) => `${step}: ${count}`).sort()).toEqual([
      '(other): 7',
      'step 0: 1',
      'step 1: 1',
      'step 2: 1',
    ])
    expect(whole).toMatchObject({ count: 10, bytesIn: 10 })
  })

  it('keeps a bounded number of kinds, statuses, checks and tags, and every count', () => {
    const memory = allocateMemory({ tagged: 2, metrics: 2 })
    const recorder = new Recorder(memory)
    const step = recorder.step({ scenario: 's', step: 'x' })
    for (let i = 0; i < 300; i++) {
      step.record(false, 200 + i, 100, 100, 0, 0)
      step.error(`error ${i}`)
      step.check(step.checkIndex(`check ${i}`), i % 2 === 0)
      recorder.counter('count', { user: `${i}` }).add()
      recorder.trend(`trend ${i}`).add(1)
    }
    const { whole, metrics } = summarise(taken(memory))
    const sum = (counts: readonly { count: number }[]) => counts.reduce((total, { count }) => total + count, 0)
    expect([whole.errors.length, sum(whole.errors)]).toEqual([101, 300])
    expect([whole.status.length, sum(whole.status)]).toEqual([64, 300])
    expect(whole.errors[0]).toEqual({ kind: '(other)', count: 200 })
    expect(whole.checks).toHaveLength(101)
    expect(whole.checks.reduce((total, { passed, failed }) => total + passed + failed, 0)).toBe(300)
    expect(metrics.filter(({ kind }) => kind === 'counter').map(({ tags, sum }) => [tags.length, sum])).toEqual([
      [0, 300],
      [1, 1],
      [1, 1],
    ])
    const trends = metrics.filter(({ kind }) => kind === 'trend')
    expect(trends.map(({ name, values }) => [name, values?.count])).toEqual([
      ['(other)', 299],
      ['trend 0', 1],
    ])
  })

  it('cuts a name that is no name, and keeps its counts', () => {
    const memory = allocateMemory()
    new Recorder(memory).step({ scenario: 's', step: 'ü'.repeat(5000) }).record(true, 200, 1, 1, 0, 0)
    expect(summarise(taken(memory)).steps[0]?.step).toHaveLength(300)
  })

  it('refuses a custom metric with a taken name, of two kinds, or of impossible values', () => {
    const recorder = new Recorder(allocateMemory())
    expect(() => recorder.trend('duration')).toThrow(/"duration" is measured by every run/)
    recorder.counter('mine')
    expect(() => recorder.rate('mine')).toThrow(/"mine" is a counter already/)
    expect(() => recorder.counter('mine').add(-1)).toThrow(/expected a counter to be raised/)
    expect(() => recorder.trend('time').add(Number.NaN)).toThrow(/expected a trend to take/)
    expect(() => recorder.gauge('level').set(Number.POSITIVE_INFINITY, 0)).toThrow(/expected a gauge/)
  })

  it('refuses memory that is not its own', () => {
    expect(() => new Recorder(new SharedArrayBuffer(1024))).toThrow(/expected the memory of a recorder/)
    expect(() => allocateMemory({ steps: 0 })).toThrow(/expected 1 to 5000 steps/)
  })

  it('found again in the same memory, it goes on with the same names', () => {
    const memory = allocateMemory()
    const at = { scenario: 's', step: 'x' }
    new Recorder(memory).step(at).record(true, 200, 1, 1, 0, 0)
    new Recorder(memory).step(at).record(true, 200, 1, 1, 0, 0)
    expect(summarise(taken(memory)).steps.map(({ count }) => count)).toEqual([2])
  })
})

const threadCode = `
const { workerData, parentPort } = require('node:worker_threads')
import(workerData.recorder).then(({ Recorder }) => {
  const recorder = new Recorder(workerData.memory)
  const population = recorder.population('p')
  const counted = new Int32Array(workerData.counted)
  let i = 0
  const batch = () => {
    for (let k = 0; k < 1000; k++, i++) {
      population.started()
      const step = recorder.step({ scenario: 's', step: 'step ' + (i % 7) })
      step.record(i % 10 !== 0, 200, i % 90000, i % 80000, 1000, 10)
      if (i % 10 === 0) step.error('kind ' + (i % 3))
      if (i % 4 !== 0) population.finished()
      Atomics.add(counted, 0, 1)
    }
    setImmediate(batch)
  }
  batch()
  parentPort.postMessage('running')
})`

describe('a thread that is killed', () => {
  it('loses nothing it had counted, and its sessions are interrupted', async () => {
    const memory = allocateMemory()
    const counted = new SharedArrayBuffer(4)
    const worker = new Worker(threadCode, {
      eval: true,
      workerData: { memory, counted, recorder: new URL('./recorder.ts', import.meta.url).href },
    })
    await once(worker, 'message')
    const frames = new ShardFrames({ run: 'r', shard: 's', memories: [memory] })
    const totals = new Totals()
    // Read along while it counts, as fast as may be, so that many readings fall into the middle of a record.
    for (let i = 1; i <= 100; i++) {
      totals.add(frames.take(i * 10))
      await new Promise(resolve => setImmediate(resolve))
    }
    await worker.terminate()
    const interrupted = interruptRemaining(memory)
    totals.add(frames.take(2000, { final: true }))

    const { whole, steps, sessions } = summarise(totals)
    const [least = 0] = new Int32Array(counted)
    // The one record that the kill fell into may or may not be in.
    expect(whole.count - least).toBeGreaterThanOrEqual(0)
    expect(whole.count - least).toBeLessThanOrEqual(1)
    expect(least).toBeGreaterThanOrEqual(1000)
    expect(steps).toHaveLength(7)
    expect(whole.service?.count).toBeGreaterThanOrEqual(whole.count)
    expect(whole.service?.count).toBeLessThanOrEqual(whole.count + 1)
    expect(whole.duration?.max).toBeLessThanOrEqual(90)
    expect(interrupted).toBeGreaterThan(0)
    expect(sessions.active).toBe(0)
    expect(sessions.interrupted).toBe(interrupted)
  })
})

import { stepsInDoubt } from '@onrush/engine/in-doubt'
import { summarise } from '@onrush/metrics/summary'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { errorsOf, get, inline, run, start, statusesOf, stepOf } from './support/engine-run.ts'

let target: DemoTarget
beforeAll(async () => {
  target = await startDemoTarget()
})
afterAll(() => target.stop())
beforeEach(async () => {
  await target.resetStats()
})

const withTarget = (more: object) => inline({ http: { baseUrl: target.url }, ...more })

describe('a run that was drained', () => {
  test('counts each step and status as the target did, open', async () => {
    const { result, summary } = await run(
      withTarget({
        onFailure: 'continue',
        inject: [
          { type: 'atOnceUsers', users: 30 },
          { type: 'rampUsersPerSec', from: 10, to: 200, duration: '1s' },
        ],
        scenarios: [
          {
            name: 'mixed',
            steps: [
              get('json', '/json', { assert: { '$.status': 200 } }),
              get('missing', '/status/404'),
              get('flaky', '/flaky?rate=0.4&seed=3'),
              get('moved', '/redirect?n=2'),
            ],
          },
        ],
      }),
    )
    const stats = await target.stats()
    expect(result.shard.imbalances).toEqual([])
    expect(result.shard.books[0]).toMatchObject({ planned: 135, started: 135, finished: 135, missed: 0 })
    for (const name of ['json', 'missing', 'flaky']) {
      expect(statusesOf(stepOf(summary, name))).toEqual(stats.names[name]?.statuses)
      expect(stepOf(summary, name).count).toBe(stats.names[name]?.seen)
    }
    // Followed redirects are requests of their own: two for each that was asked for.
    expect(statusesOf(stepOf(summary, 'moved'))).toEqual({ '200': 135 })
    expect(statusesOf(stepOf(summary, 'moved (redirect)'))).toEqual({ '302': 270 })
    expect(summary.whole.count).toBe(stats.seen)
    expect(summary.whole.ko).toBe(135 + (stats.names.flaky?.statuses['500'] ?? 0))
    expect(errorsOf(summary.whole)).toEqual({ status: summary.whole.ko })
    expect(summary.steps.find(({ step }) => step === 'json')?.checks).toEqual([
      { label: '$.status $eq 200', passed: 135, failed: 0 },
    ])
    expect(stepsInDoubt(summary)).toEqual([])
  })

  test('counts each step and status as the target did, closed', async () => {
    const { result, summary } = await run(
      withTarget({
        inject: [
          { type: 'rampConcurrentUsers', from: 1, to: 20, duration: '1s' },
          { type: 'constantConcurrentUsers', users: 5, duration: '500ms' },
        ],
        scenarios: [{ name: 'browse', steps: [get('json', '/json'), get('slow', '/slow?ms=5')] }],
      }),
    )
    const stats = await target.stats()
    expect(result.shard.imbalances).toEqual([])
    const [book] = result.shard.books
    expect(book?.started).toBeGreaterThan(20)
    expect(book).toMatchObject({ started: book?.finished, interrupted: 0 })
    expect(statusesOf(stepOf(summary, 'json'))).toEqual(stats.names.json?.statuses)
    expect(statusesOf(stepOf(summary, 'slow'))).toEqual(stats.names.slow?.statuses)
    expect(summary.whole.count).toBe(stats.seen)
  })

  test('is stopped between: what was planned and not started is cancelled', async () => {
    const running = start(
      withTarget({
        inject: [{ type: 'constantUsersPerSec', rate: 200, duration: '1m' }],
        scenarios: [{ name: 'a', steps: [get('slow', '/slow?ms=100')] }],
      }),
      {},
      { onFrame: frame => frame.to >= 1000 && running.stop('enough') },
    )
    const result = await running.result
    const summary = summarise(result.totals)
    const stats = await target.stats()
    expect(result).toMatchObject({ cause: 'stopped', shard: { imbalances: [], stopped: { reason: 'enough' } } })
    const [book] = result.shard.books
    expect(book).toMatchObject({ planned: 12_000, dropped: 0, missed: 0, interrupted: 0, finished: book?.started })
    expect((book?.started ?? 0) + (book?.cancelled ?? 0)).toBe(12_000)
    expect(summary.whole.count).toBe(stats.seen)
    expect(statusesOf(summary.whole)).toEqual(stats.statuses)
  })
})

describe('a run that did not end well', () => {
  test('has seen resets and timeouts: answered ≤ seen ≤ sent, and the difference is in doubt', async () => {
    const { result, summary } = await run(
      withTarget({
        onFailure: 'continue',
        inject: [{ type: 'constantUsersPerSec', rate: 50, duration: '1s' }],
        scenarios: [
          {
            name: 'a',
            steps: [
              get('reset', '/reset'),
              get('hang', '/hang', { timeout: '300ms' }),
              get('broken', '/malformed'),
              get('json', '/json'),
            ],
          },
        ],
      }),
    )
    const stats = await target.stats()
    expect(result.shard.imbalances).toEqual([])
    expect(errorsOf(stepOf(summary, 'reset'))).toEqual({ reset: 50 })
    expect(errorsOf(stepOf(summary, 'hang'))).toEqual({ timeout_total: 50 })
    expect(errorsOf(stepOf(summary, 'broken'))).toEqual({ malformed_response: 50 })
    expect(statusesOf(stepOf(summary, 'json'))).toEqual({ '200': 50 })
    const doubted = stepsInDoubt(summary)
    expect(doubted.map(({ step }) => step).sort()).toEqual(['broken', 'hang'])
    for (const { step, answered, sent } of doubted) {
      expect(stats.names[step]?.seen).toBeGreaterThanOrEqual(answered)
      expect(stats.names[step]?.seen).toBeLessThanOrEqual(sent)
    }
    expect(summary.samples.filter(({ step }) => step === 'hang').length).toBeGreaterThan(0)
    expect(summary.samples.find(({ step }) => step === 'reset')).toMatchObject({
      kind: 'reset',
      request: { method: 'GET', url: `${target.url}/reset` },
    })
  })

  test('was aborted in the middle: everything has an end, and the books balance', async () => {
    const running = start(
      withTarget({
        inject: [{ type: 'constantConcurrentUsers', users: 50, duration: '1m' }],
        scenarios: [{ name: 'a', steps: [get('json', '/json'), get('slow', '/slow?ms=300')] }],
      }),
      {},
      { onFrame: frame => frame.to >= 1000 && running.abort('at once') },
    )
    const result = await running.result
    const summary = summarise(result.totals)
    const stats = await target.stats()
    const [book] = result.shard.books
    expect(result.shard).toMatchObject({ imbalances: [], stopped: { reason: 'at once' } })
    expect(book?.interrupted).toBe(50)
    expect(book?.started).toBe((book?.finished ?? 0) + 50)
    expect(errorsOf(stepOf(summary, 'slow')).interrupted).toBeGreaterThan(0)
    for (const { step, answered, sent } of stepsInDoubt(summary)) {
      expect(stats.names[step]?.seen).toBeGreaterThanOrEqual(answered)
      expect(stats.names[step]?.seen).toBeLessThanOrEqual(sent)
    }
    expect(stats.statuses['200']).toBeLessThanOrEqual(summary.whole.count)
  })

  test('had nobody to talk to: refused is unsent, and nothing is in doubt', async () => {
    const gone = await startDemoTarget()
    await gone.stop()
    const { result, summary } = await run(
      inline({
        inject: [{ type: 'constantUsersPerSec', rate: 50, duration: '1s' }],
        scenarios: [{ name: 'a', steps: [get('json', `${gone.url}/json`)] }],
      }),
    )
    expect(errorsOf(stepOf(summary, 'json'))).toEqual({ refused: 50 })
    expect(stepOf(summary, 'json').service).toBeUndefined()
    expect(stepsInDoubt(summary)).toEqual([])
    expect(result.shard).toMatchObject({ imbalances: [] })
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { startDemoTarget } from '@onrush/servers/demo-target'
import { describe, expect, test } from 'vitest'
import { errorsOf, get, inline, run, start, statusesOf, stepOf } from './support/engine-run.ts'
import { loggingServer } from './support/logging-server.ts'

describe('a seeded run', () => {
  test('repeats: each session sends the same requests, however many threads there are', async () => {
    const server = await loggingServer()
    const loaded = inline({
      http: { baseUrl: server.url },
      seed: 42,
      inject: [{ type: 'rampUsers', users: 60, duration: '500ms' }],
      scenarios: [
        {
          name: 'a',
          weight: 2,
          steps: [
            get('one', '/a?n={{$._g.arrival}}&r={{randomInt(1,1000000)}}'),
            {
              type: 'choose',
              of: [
                { weight: 1, steps: [get('left', '/left?n={{$._g.arrival}}')] },
                { weight: 2, steps: [get('right', '/right?n={{$._g.arrival}}&r={{randomInt(1,9)}}')] },
              ],
            },
          ],
        },
        { name: 'b', weight: 1, steps: [get('two', '/b?n={{$._g.arrival}}&id={{uuid()}}')] },
      ],
    })
    const sessions: Record<string, string[]>[] = []
    for (const threads of [1, 3]) {
      server.seen.length = 0
      await run(loaded, { threads })
      const bySession: Record<string, string[]> = {}
      for (const { url } of server.seen) {
        const session = new URL(url, server.url).searchParams.get('n') ?? ''
        bySession[session] = [...(bySession[session] ?? []), url]
      }
      sessions.push(bySession)
    }
    expect(Object.keys(sessions[0] ?? {})).toHaveLength(60)
    expect(sessions[1]).toEqual(sessions[0])
    const paths = Object.values(sessions[0] ?? {}).flat()
    for (const path of ['/a', '/b', '/left', '/right']) expect(paths.some(each => each.startsWith(path))).toBe(true)
  })
})

describe('a throttle', () => {
  test('is a ceiling over all threads: never more requests than it had slots by then', async () => {
    const server = await loggingServer()
    const { result, summary } = await run(
      inline({
        http: { baseUrl: server.url },
        throttle: [
          { type: 'reach', rps: 100, in: '1s' },
          { type: 'hold', for: '1s' },
        ],
        inject: [{ type: 'constantConcurrentUsers', users: 40, duration: '2s' }],
        scenarios: [{ name: 'a', steps: [get('one', '/one'), get('two', '/two')] }],
      }),
      { threads: 3 },
    )
    server.seen.forEach(({ at }, i) => {
      const t = (at - result.startedAt) / 1000
      const slots = t < 1 ? 50 * t * t : 50 + 100 * (t - 1)
      // The server's clock is another one: a millisecond's allowance is a tenth of a slot.
      expect(i + 1, `requests by ${t} s`).toBeLessThanOrEqual(slots + 0.2)
    })
    expect(summary.whole.count).toBeGreaterThan(120)
    expect(result.shard.imbalances).toEqual([])
  })
})

describe('a target that fails in the middle', () => {
  test('is down for two seconds: the run goes on and recovers', async () => {
    const server = await loggingServer()
    const second = Promise.withResolvers<void>()
    const running = start(
      inline({
        http: { baseUrl: server.url },
        inject: [{ type: 'constantUsersPerSec', rate: 50, duration: '5s' }],
        scenarios: [{ name: 'a', steps: [get('one', '/one')] }],
      }),
      {},
      { onFrame: () => second.resolve() },
    )
    await second.promise
    await server.down()
    await sleep(2000)
    await server.up()
    const again = server.seen.length
    const result = await running.result
    expect(server.seen.length).toBeGreaterThan(again)
    expect(result.shard.books[0]).toMatchObject({ planned: 250, started: 250, finished: 250 })
    expect(result.shard.imbalances).toEqual([])
    const kinds = new Set(result.shard.totals.counts.steps.flatMap(({ errors = [] }) => errors.map(([kind]) => kind)))
    expect([...kinds].filter(kind => kind !== 'reset')).toEqual(['refused'])
  })

  test('freezes for two seconds: what waited is answered or times out, and the run goes on', async () => {
    const target = await startDemoTarget()
    try {
      const second = Promise.withResolvers<void>()
      const running = start(
        inline({
          http: { baseUrl: target.url, timeout: '1s' },
          inject: [{ type: 'constantUsersPerSec', rate: 50, duration: '5s' }],
          scenarios: [{ name: 'a', steps: [get('json', '/json')] }],
        }),
        {},
        { onFrame: () => second.resolve() },
      )
      await second.promise
      await fetch(`${target.url}/freeze?ms=2000`)
      const result = await running.result
      const last = result.frames.filter(({ to }) => to > 4500).flatMap(({ counts }) => counts.steps)
      expect(last.some(({ ok }) => (ok?.status[0]?.[1] ?? 0) > 0)).toBe(true)
      expect(result.shard.books[0]).toMatchObject({ planned: 250, started: 250, finished: 250 })
      const [step] = result.shard.totals.counts.steps
      expect(step?.errors?.map(([kind]) => kind)).toContain('timeout_total')
    } finally {
      await target.stop()
    }
  })
})

describe('a load', () => {
  test('drops what exceeds maxUsers, and counts it', async () => {
    const target = await startDemoTarget()
    try {
      const { result } = await run(
        inline({
          http: { baseUrl: target.url },
          inject: [{ type: 'atOnceUsers', users: 100 }],
          maxUsers: 30,
          scenarios: [{ name: 'a', steps: [get('slow', '/slow?ms=300')] }],
        }),
      )
      expect(result.shard.books[0]).toMatchObject({ planned: 100, started: 30, dropped: 70, finished: 30 })
      expect(result.generator.valid).toBe(false)
      expect((await target.stats()).seen).toBe(30)
    } finally {
      await target.stop()
    }
  })

  test('runs a fixed number of sessions, and populations beside each other, each from its own beginning', async () => {
    const server = await loggingServer()
    const { result, summary } = await run(
      inline({
        http: { baseUrl: server.url },
        scenarios: [
          { name: 'few', inject: [{ type: 'iterations', iterations: 37, users: 5 }], steps: [get('few', '/few')] },
          {
            name: 'later',
            startAfter: '500ms',
            inject: [{ type: 'constantUsersPerSec', rate: 40, duration: '500ms' }],
            steps: [get('later', '/later')],
          },
        ],
      }),
      { threads: 3 },
    )
    expect(statusesOf(stepOf(summary, 'few'))).toEqual({ '200': 37 })
    expect(statusesOf(stepOf(summary, 'later'))).toEqual({ '200': 20 })
    const first = server.seen.find(({ url }) => url === '/later')?.at ?? 0
    expect(first - result.startedAt).toBeGreaterThanOrEqual(500)
    expect(result.shard.imbalances).toEqual([])
  })

  test('loops until its time is over, then ends its sessions evenly over the ramp down', async () => {
    const server = await loggingServer()
    const { result, summary } = await run(
      inline({
        http: { baseUrl: server.url },
        inject: [{ type: 'atOnceUsers', users: 20 }],
        loop: { forever: true },
        pace: '50ms',
        maxDuration: '1s',
        rampDown: '1s',
        scenarios: [{ name: 'a', steps: [get('one', '/one?user={{$._g.user}}')] }],
      }),
    )
    expect(result.shard.books[0]).toMatchObject({ planned: 20, started: 20, interrupted: 20, finished: 0 })
    const last = new Map(server.seen.map(({ url, at }) => [url, at - result.startedAt]))
    const ends = [...last.values()].sort((a, b) => a - b)
    expect(ends).toHaveLength(20)
    // All at once would put every end at 1 s; evenly puts half of them on either side of 1.5 s.
    expect(ends.filter(end => end < 1700).length).toBeGreaterThanOrEqual(8)
    expect(ends.filter(end => end > 1300).length).toBeGreaterThanOrEqual(8)
    expect(summary.populations[0]?.passes).toBeGreaterThan(20 * 10)
  })

  test('paces the sessions of closed users, pauses included, and scales pauses', async () => {
    const server = await loggingServer()
    const { result } = await run(
      inline({
        http: { baseUrl: server.url },
        inject: [{ type: 'constantConcurrentUsers', users: 4, duration: '1s' }],
        pace: '200ms',
        thinkTimes: 0.01,
        scenarios: [{ name: 'a', steps: [get('one', '/one'), { type: 'pause', for: '5s' }, get('two', '/two')] }],
      }),
    )
    // Each user passes at 0, 200, 400, 600 and 800 ms; with pauses unscaled there would have been one pass.
    expect(server.seen.filter(({ url }) => url === '/one').length).toBeLessThanOrEqual(4 * 5)
    expect(server.seen.filter(({ url }) => url === '/one').length).toBeGreaterThan(4)
    expect(result.shard.books[0]?.interrupted).toBe(0)
  })

  test('aborts when a threshold says so', async () => {
    const server = await loggingServer()
    const { result, summary } = await run(
      inline({
        http: { baseUrl: server.url },
        inject: [{ type: 'constantUsersPerSec', rate: 50, duration: '1m' }],
        scenarios: [{ name: 'a', steps: [get('one', '/one', { assert: { '$.status': 201 } })] }],
        thresholds: { failed: [{ check: 'rate<0.5', abort: true }] },
        // How punctual a busy machine is, is not what this is about.
        generator: { lagP99: '1m' },
      }),
    )
    expect(result).toMatchObject({ cause: 'threshold', verdict: 'failed' })
    expect(errorsOf(summary.whole)).toEqual({ assertion: summary.whole.count })
    expect(result.shard.books[0]?.cancelled).toBeGreaterThan(2000)
    expect(result.shard.imbalances).toEqual([])
  })
})

import { checkSession } from '@onrush/engine/check-session'
import { localPlan } from '@onrush/engine/run'
import { type RunningShard, runShard } from '@onrush/engine/shard'
import type { TraceEvent } from '@onrush/engine/trace'
import { dealShares, wholeShare } from '@onrush/load/share'
import { summarise } from '@onrush/metrics/summary'
import { Totals } from '@onrush/metrics/totals'
import type { ShardPlan } from '@onrush/protocol/plan'
import { describe, expect, test } from 'vitest'
import { errorsOf, get, inline, run, script, start, stepOf } from './support/engine-run.ts'
import { loggingServer } from './support/logging-server.ts'

/** A script in which one thread comes to harm: session 20 does `harm`. */
const harmful = (url: string, harm: string) =>
  script(`
    export default {
      http: { baseUrl: '${url}' },
      inject: [{ type: 'constantUsersPerSec', rate: 100, duration: '1s' }],
      scenarios: [{ name: 'a', steps: [
        { type: 'http', name: 'one', url: '/one' },
        { type: 'code', name: 'harm', run: async session => {
          if (session.get('$._g.arrival') !== 20) return
          ${harm}
        } },
      ] }],
    }`)

describe('a thread that dies', () => {
  test.each([
    ['of an error nobody caught', "setTimeout(() => { throw new Error('boom') })", /boom.*bundle\.mjs/],
    ['of a rejection nobody caught', "Promise.reject(new Error('lost'))", /lost/],
    ['because its script ends it', 'process.exit(3)', /exit/],
    [
      'of memory',
      'const all = []; for (;;) { for (let i = 0; i < 500; i++) all.push(new Array(1000).fill(all)); await session.pause(1) }',
      /memory/,
    ],
  ])('%s: is named, its counts are kept, the others go on', async (_, harm, message) => {
    const server = await loggingServer()
    const warnings: string[] = []
    const loaded = await harmful(server.url, harm)
    const { result, summary } = await run(
      loaded,
      { limits: { threadMemoryMb: 64 } },
      { onWarning: warning => warnings.push(warning) },
    )
    expect(result.cause).toBe('crashed')
    expect(result.shard.crashes).toHaveLength(1)
    expect(result.shard.crashes[0]?.message).toMatch(message)
    expect(warnings.join()).toMatch(message)
    const [book] = result.shard.books
    expect(book?.planned).toBe(100)
    expect((book?.started ?? 0) + (book?.missed ?? 0)).toBe(100)
    expect(book?.started).toBeGreaterThan(20)
    expect(result.shard.imbalances).toEqual([])
    expect(result.verdict).toBe('invalid')
    expect(result.generator.reasons.join()).toMatch(message)
    expect(server.seen.length).toBeGreaterThanOrEqual(stepOf(summary, 'one').count)
    // What was under way when the thread died; on a busy machine it dies slowly.
    expect(server.seen.length - stepOf(summary, 'one').count).toBeLessThan(40)
  })

  test('fails the run when it was the only one, and says why', async () => {
    const server = await loggingServer()
    const loaded = await harmful(server.url, "setTimeout(() => { throw new Error('boom') })")
    await expect(run(loaded, { threads: 1 })).rejects.toMatchObject({
      code: 'run_failed',
      message: expect.stringContaining('boom'),
    })
  })

  test('hears no message any more: it is ended by force, and what it ran is interrupted', async () => {
    const server = await loggingServer()
    const loaded = await harmful(server.url, 'for (;;) {}')
    const running = start(
      loaded,
      { limits: { stuckMs: 2000 } },
      { onWarning: warning => /stands still/.test(warning) && running.abort('enough') },
    )
    const result = await running.result
    const [crash] = result.shard.crashes
    expect(crash?.message).toMatch(/force/)
    expect(result.warnings.filter(warning => warning.startsWith(`thread ${crash?.thread} stands still`))).toHaveLength(
      1,
    )
    expect(result.shard.notes.join()).toContain('an endless loop')
    expect(result.shard.imbalances).toEqual([])
    expect(result.shard.books[0]?.interrupted).toBeGreaterThan(0)
  })
})

describe('what cannot be prepared', () => {
  test('says what is wrong with the script', async () => {
    const server = await loggingServer()
    const loaded = await harmful(server.url, '')
    const broken = { ...loaded, source: { bundle: '/nowhere/bundle.mjs', hash: '' } }
    await expect(run(broken)).rejects.toMatchObject({
      code: 'script_error',
      message: expect.stringContaining('nowhere'),
    })
  })

  test('gives up on an onReady that never answers', async () => {
    const plan = localPlan(inline({ scenarios: [{ name: 'a', steps: [get('x', 'http://127.0.0.1:1/')] }] }), {
      runId: 'r',
      threads: 1,
      limits: { startMs: 100 },
    })
    const shard = runShard(plan, { onReady: () => new Promise(() => undefined) })
    await expect(shard.result).rejects.toMatchObject({ code: 'timeout' })
  })

  test('is stopped before the start', async () => {
    const plan = localPlan(inline({ scenarios: [{ name: 'a', steps: [get('x', 'http://127.0.0.1:1/')] }] }), {
      runId: 'r',
      threads: 1,
    })
    const shard: RunningShard = runShard(plan, {
      onReady: () => {
        shard.stop('changed my mind')
        return new Promise(() => undefined)
      },
    })
    await expect(shard.result).rejects.toMatchObject({ message: expect.stringContaining('changed my mind') })
  })
})

describe('several shards', () => {
  test('are the whole together, and a share that changes hands is neither lost nor run twice', async () => {
    const server = await loggingServer()
    const loaded = inline({
      http: { baseUrl: server.url },
      inject: [{ type: 'constantUsersPerSec', rate: 100, duration: '3s' }],
      scenarios: [{ name: 'a', steps: [get('one', '/one?n={{$._g.arrival}}')] }],
    })
    const whole = localPlan(loaded, { runId: 'r', threads: 2, seed: 7 })
    const [left = [], right = []] = dealShares([1, 2])
    const of = (worker: string, share: typeof left): ShardPlan => ({
      ...whole,
      worker,
      share: share.map(([a, b, c]) => [a, b, c]),
    })
    const ready = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const signal = Promise.all(ready.map(each => each.promise)).then(() => ({
      at: performance.timeOrigin + performance.now() + 50,
    }))
    const onReady = (i: number) => () => {
      ready[i]?.resolve()
      return signal
    }
    // After a second the first worker gives all it has to the second.
    const first: RunningShard = runShard(of('first', left), {
      onReady: onReady(0),
      onFrame: frame => {
        if (frame.from > 0) return
        first.reassign([], 2000)
        second.reassign(wholeShare, 2000)
      },
    })
    const second: RunningShard = runShard(of('second', right), { onReady: onReady(1) })
    const results = await Promise.all([first.result, second.result])
    const arrivals = server.seen.map(({ url }) => Number(new URL(url, server.url).searchParams.get('n')))
    expect(arrivals.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
    expect(results.flatMap(({ imbalances }) => imbalances)).toEqual([])
    expect(results.map(({ books }) => books[0]?.planned)).toEqual([67, 233])
    const totals = new Totals()
    for (const result of results) totals.add(result.totals)
    expect(summarise(totals).whole.count).toBe(300)
  })
})

describe('a check', () => {
  test('shows every request, response, assertion and export of one session, secrets masked', async () => {
    const server = await loggingServer()
    const loaded = inline({
      http: { baseUrl: server.url },
      environments: { test: { key: { $secret: 'hush-hush' } } },
      inject: [{ type: 'constantUsersPerSec', rate: 100, duration: '1h' }],
      loop: { forever: true },
      scenarios: [
        {
          name: 'a',
          steps: [
            get('one', '/one?key={{$._env.key}}', { assert: { '$.status': 200 }, export: { status: '$.status' } }),
            { type: 'pause', for: '1h' },
            get('two', '/two/{{$._s.status}}', { assert: { '$.status': { $gt: 300 } } }),
          ],
        },
      ],
    })
    const events: TraceEvent[] = []
    const ok = await checkSession(localPlan(loaded, { runId: 'r' }), event => events.push(event))
    expect(ok).toBe(false)
    expect(server.seen.map(({ url }) => url)).toEqual(['/one?key=hush-hush', '/two/200'])
    expect(JSON.stringify(events)).not.toContain('hush')
    expect(events.map(({ type }) => type)).toEqual([
      'scenario',
      'step',
      'request',
      'response',
      'assertion',
      'export',
      'pause',
      'step',
      'request',
      'response',
      'assertion',
      'failure',
      'end',
    ])
    expect(events[2]).toMatchObject({ method: 'GET', url: `${server.url}/one?key=***` })
    expect(events[5]).toMatchObject({ name: 'status', scope: '_s', value: '200' })
    expect(events[10]).toMatchObject({ ok: false, check: '$.status $gt 300', actual: '200' })
  })
})

test('errors of one session do not touch another', async () => {
  const server = await loggingServer()
  const { summary } = await run(
    await script(`
      export default {
        http: { baseUrl: '${server.url}' },
        inject: [{ type: 'atOnceUsers', users: 20 }],
        scenarios: [{ name: 'a', steps: [
          { type: 'code', name: 'odd', run: session => { if (session.get('$._g.arrival') % 2) throw new Error('odd') } },
          { type: 'http', name: 'even', url: '/even' },
        ] }],
      }`),
  )
  expect(errorsOf(stepOf(summary, 'odd'))).toEqual({ code: 10 })
  expect(stepOf(summary, 'even').count).toBe(10)
})

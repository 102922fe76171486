import { describe, expect, test } from 'vitest'
import { errorsOf, get, inline, run, script, statusesOf, stepOf } from './support/engine-run.ts'
import { loggingServer } from './support/logging-server.ts'

const one = [{ type: 'iterations', iterations: 1, users: 1 }]

describe('control steps', () => {
  test('group, repeat, during, when and choose do what they say', async () => {
    const server = await loggingServer()
    const { result, summary } = await run(
      inline({
        http: { baseUrl: server.url },
        inject: [{ type: 'iterations', iterations: 200, users: 10 }],
        variables: { rounds: 3 },
        scenarios: [
          {
            name: 'a',
            steps: [
              {
                type: 'group',
                name: 'all',
                steps: [
                  { type: 'repeat', times: '{{$._j.rounds}}', steps: [get('again', '/again')] },
                  { type: 'repeat', times: 2, steps: [get('twice', '/twice')] },
                  { type: 'pause', for: '5ms' },
                ],
              },
              {
                type: 'when',
                if: { '$._g.user': { $lte: 5 } },
                then: [get('low', '/low')],
                else: [get('high', '/high')],
              },
              {
                type: 'choose',
                of: [
                  { weight: 3, steps: [get('often', '/often')] },
                  { weight: 1, steps: [get('seldom', '/seldom')] },
                ],
              },
              { type: 'during', for: '1ms', steps: [get('during', '/during')] },
            ],
          },
        ],
      }),
    )
    expect(stepOf(summary, 'again')).toMatchObject({ count: 600, group: 'all' })
    expect(stepOf(summary, 'twice')).toMatchObject({ count: 400, group: 'all' })
    expect(stepOf(summary, 'low').count).toBe(100)
    expect(stepOf(summary, 'high').count).toBe(100)
    const often = stepOf(summary, 'often').count
    expect(often + stepOf(summary, 'seldom').count).toBe(200)
    // 150 are expected with a standard deviation of 6; the seed is fixed, so this is no gamble.
    expect(often).toBeGreaterThan(125)
    expect(often).toBeLessThan(175)
    expect(stepOf(summary, 'during').count).toBeGreaterThanOrEqual(200)
    expect(summary.groups).toMatchObject([{ group: 'all', ok: 200, ko: 0 }])
    expect(summary.groups[0]?.duration?.min).toBeGreaterThanOrEqual(5)
    expect(result.thresholds).toEqual([])
    expect(result.shard).toMatchObject({ imbalances: [], crashes: [], notes: [] })
  })

  test('a failed step ends its session, unless it is to go on; a missing reference sends nothing', async () => {
    const server = await loggingServer()
    const { result, summary } = await run(
      inline({
        http: { baseUrl: server.url },
        inject: [{ type: 'iterations', iterations: 10, users: 2 }],
        scenarios: [
          {
            name: 'a',
            steps: [
              get('nothing', '/items/{{$._s.missing}}', { onFailure: 'continue' }),
              get('no export', '/a', { export: { id: '$.entity.id' }, onFailure: 'continue' }),
              get('wrong', '/b', { assert: { '$.status': 200, '$.entity.ok': true } }),
              get('never', '/never'),
            ],
          },
        ],
      }),
    )
    expect(errorsOf(stepOf(summary, 'nothing'))).toEqual({ render: 10 })
    expect(errorsOf(stepOf(summary, 'no export'))).toEqual({ export: 10 })
    expect(errorsOf(stepOf(summary, 'wrong'))).toEqual({ assertion: 10 })
    expect(stepOf(summary, 'wrong').checks.sort((a, b) => b.passed - a.passed)).toEqual([
      { label: '$.status $eq 200', passed: 10, failed: 0 },
      { label: '$.entity.ok $eq true', passed: 0, failed: 10 },
    ])
    expect(summary.steps.some(({ step }) => step === 'never')).toBe(false)
    expect(server.seen).toHaveLength(20)
    expect(result.shard.books[0]).toMatchObject({ finished: 10, interrupted: 0 })
    expect(summary.populations[0]).toMatchObject({ passes: 10, passesFailed: 10 })
    const sample = summary.samples.find(({ kind }) => kind === 'render')
    expect(sample?.message).toContain('$._s.missing')
  })

  test('a loop without any wait does not starve the others', async () => {
    const server = await loggingServer()
    const { result, summary } = await run(
      inline({
        http: { baseUrl: server.url },
        maxDuration: '1s',
        inject: [{ type: 'atOnceUsers', users: 2 }],
        loop: { forever: true },
        scenarios: [
          {
            name: 'a',
            steps: [
              { type: 'when', if: { '$._g.user': 1 }, then: [{ type: 'repeat', times: 1_000_000_000, steps: [] }] },
              get('other', '/other'),
            ],
          },
        ],
      }),
      { threads: 1 },
    )
    expect(stepOf(summary, 'other').count).toBeGreaterThan(10)
    expect(result.shard.books[0]).toMatchObject({ started: 2, interrupted: 2 })
  })

  test('scenarios run in order, each with a scope of its own; the job keeps what is exported to it', async () => {
    const server = await loggingServer()
    const { summary } = await run(
      inline({
        http: { baseUrl: server.url },
        inject: one,
        scenarios: [
          {
            name: 'first',
            imports: { word: 'a' },
            steps: [
              get('one', '/{{$._s.word}}', {
                export: { here: '$.status', there: { path: '$.status', scope: '_j' } },
              }),
            ],
          },
          { name: 'second', steps: [get('two', "/{{$._s.here ?? 'gone'}}/{{$._j.there}}")] },
        ],
      }),
    )
    expect(server.seen.map(({ url }) => url)).toEqual(['/a', '/gone/200'])
    expect(summary.whole.ko).toBe(0)
  })

  test('tags count into metrics of their own; a step may keep its response as it came', async () => {
    const server = await loggingServer('{{$._j.word}}')
    const { summary } = await run(
      inline({
        http: { baseUrl: server.url },
        inject: [{ type: 'iterations', iterations: 6, users: 1 }],
        variables: { word: 'hello' },
        scenarios: [
          {
            name: 'a',
            steps: [
              get('rendered', '/a', {
                assert: { '$.entity.said': 'hello' },
                tags: { region: 'eu', turn: '{{$._g.iteration}}' },
              }),
              get('raw', '/b', {
                renderResponses: false,
                assert: { '$.entity.said': { $regex: '^.{2}[$]' } },
                tags: { region: 'us' },
              }),
            ],
          },
        ],
        thresholds: { 'tagged_duration{tag:region=us}': ['count==6'], 'tagged_failed{tag:turn=3}': ['rate==0'] },
      }),
    )
    expect(summary.whole.ko).toBe(0)
    const tagged = summary.metrics.filter(({ name, tags }) => name === 'tagged_duration' && tags.length > 0)
    expect(tagged.map(({ values }) => values?.count).sort()).toEqual([1, 1, 1, 1, 1, 1, 6])
  })

  test('a name may be a template, and protocols that are not there are named before the start', async () => {
    const server = await loggingServer()
    const { summary } = await run(
      inline({
        http: { baseUrl: server.url },
        inject: [{ type: 'iterations', iterations: 4, users: 1 }],
        scenarios: [{ name: 'a', steps: [{ type: 'http', name: 'page {{$._g.iteration}}', url: '/p' }] }],
      }),
    )
    expect(summary.steps.map(({ step }) => step).sort()).toEqual(['page 1', 'page 2', 'page 3', 'page 4'])
    const bad = inline({
      scenarios: [{ name: 'a', steps: [get('x', 'http://127.0.0.1:1/{{$.oops(}}'), get('y', 'http://[/')] }],
    })
    await expect(run(bad)).rejects.toMatchObject({ code: 'invalid', errors: [{}, {}] })
  })
})

describe('code', () => {
  test('reads, writes, sends, counts and fails; what it counts is in the totals', async () => {
    const server = await loggingServer()
    const loaded = await script(`
      export default {
        http: { baseUrl: '${server.url}' },
        inject: [{ type: 'iterations', iterations: 20, users: 4 }],
        onFailure: 'continue',
        setup: async session => ({ token: 'abc', answer: (await session.http.get('set up', '/setup')).status }),
        teardown: session => session.http.post('tear down', '/teardown', { body: session.get('$._g.setup') }),
        scenarios: [{ name: 'a', steps: [
          { type: 'code', name: 'think', run: async session => {
            session.set('token', session.get('$._g.setup.token'))
            const outcome = await session.http.get('inner', '/inner/{{$._s.token}}')
            session.count('looked', 2, { region: 'eu' })
            session.trend('took', 12.5)
            session.rate('hit', outcome.ok)
            session.gauge('level', 7)
            session.check('is ok', outcome.ok && outcome.status === 200)
            await session.pause(1)
            if (!(session.random() < 1)) session.fail('impossible')
          } },
          { type: 'code', name: 'throws', run: session => {
            if (session.get('$._g.user') === 1) throw new TypeError('not today')
          } },
          { type: 'group', name: 'outer', steps: [{ type: 'code', name: 'fails', run: session => {
            if (session.get('$._g.user') === 2) session.fail('as I said')
          } }] },
          { type: 'http', name: 'after', url: '/after' },
        ] }],
      }`)
    const { result, summary } = await run(loaded)
    expect(statusesOf(stepOf(summary, 'inner'))).toEqual({ '200': 20 })
    expect(stepOf(summary, 'inner').group).toBe('think')
    expect(stepOf(summary, 'think')).toMatchObject({ count: 0, checks: [{ label: 'is ok', passed: 20, failed: 0 }] })
    expect(errorsOf(stepOf(summary, 'throws'))).toEqual({ code: 5 })
    expect(errorsOf(stepOf(summary, 'fails'))).toEqual({ code: 5 })
    expect(stepOf(summary, 'after').count).toBe(20)
    expect(summary.groups).toMatchObject([
      { group: 'outer', ok: 15, ko: 5 },
      { group: 'outer / fails', ok: 15, ko: 5 },
      { group: 'think', ok: 20, ko: 0 },
      { group: 'throws', ok: 15, ko: 5 },
    ])
    const metric = (name: string) => summary.metrics.find(each => each.name === name && each.tags.length === 0)
    expect(metric('looked')).toMatchObject({ sum: 40 })
    expect(metric('took')).toMatchObject({ values: { count: 20, p50: 12.5 } })
    expect(metric('hit')).toMatchObject({ share: 1 })
    expect(metric('level')).toMatchObject({ value: 7 })
    expect(summary.metrics.find(({ tags }) => tags.length > 0)).toMatchObject({
      name: 'looked',
      tags: [['region', 'eu']],
    })
    expect(server.seen.filter(({ url }) => url === '/inner/abc')).toHaveLength(20)
    expect([server.seen.at(0)?.url, server.seen.at(-1)?.url]).toEqual(['/setup', '/teardown'])
    expect(result.setup).toEqual({ token: 'abc', answer: 200 })
    const messages = (name: string) => summary.samples.filter(({ step }) => step === name).map(each => each.message)
    expect(messages('throws')[0]).toMatch(/^TypeError: not today \(.*bundle\.mjs:\d+:\d+\)$/)
    expect(new Set(messages('fails'))).toEqual(new Set(['as I said']))
  })

  test('a secret is masked in samples', async () => {
    const server = await loggingServer()
    const { summary } = await run(
      inline({
        http: { baseUrl: server.url },
        inject: one,
        environments: { test: { key: { $secret: 'hush-hush' } } },
        scenarios: [
          {
            name: 'a',
            steps: [
              {
                ...get('x', '/x?key={{$._env.key}}', { assert: { '$.status': 201 } }),
                headers: { 'x-key': 'k {{$._env.key}}', authorization: 'Bearer 123' },
              },
            ],
          },
        ],
      }),
    )
    expect(server.seen[0]?.url).toBe('/x?key=hush-hush')
    const sample = summary.samples[0]
    expect(sample?.request?.url).toBe(`${server.url}/x?key=***`)
    expect(sample?.request?.headers).toMatchObject({ 'x-key': 'k ***', authorization: '***' })
    expect(JSON.stringify(summary)).not.toContain('hush')
  })
})

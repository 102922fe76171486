import { expect, test } from 'vitest'
import { get, inline, run, stepOf } from './support/engine-run.ts'
import { loggingServer } from './support/logging-server.ts'

test('populations beside each other: a beat, a while, passes, picks by weight and a limit of users', async () => {
  const server = await loggingServer()
  const once = [{ type: 'iterations', iterations: 1, users: 1 }]
  const { result, summary } = await run(
    inline({
      http: { baseUrl: server.url },
      seed: 5,
      scenarios: [
        {
          name: 'beat',
          inject: once,
          steps: [
            get('connect', '/connect'),
            { type: 'repeat', times: 4, steps: [{ type: 'pace', every: '300ms' }, get('beat', '/beat')] },
          ],
        },
        {
          name: 'while',
          inject: once,
          steps: [{ type: 'during', for: '1s', steps: [get('while', '/while'), { type: 'pause', for: '150ms' }] }],
        },
        {
          name: 'passes',
          inject: [{ type: 'atOnceUsers', users: 5 }],
          loop: { repeat: 3 },
          steps: [get('pass', '/pass?{{$._g.arrival}}')],
        },
        {
          name: 'capped',
          inject: [{ type: 'constantConcurrentUsers', users: 5, duration: '300ms' }],
          maxUsers: 2,
          pace: '100ms',
          steps: [get('capped', '/capped?{{$._g.user}}')],
        },
        {
          name: 'short',
          inject: [{ type: 'constantUsersPerSec', rate: 50, duration: '1h' }],
          maxDuration: '300ms',
          steps: [get('short', '/short')],
        },
      ],
    }),
  )
  const at = (path: string) => server.seen.filter(({ url }) => url.startsWith(path)).map(each => each.at)
  const beats = at('/beat')
  expect(beats).toHaveLength(4)
  // 900 ms by plan, less what the first one was late.
  expect((beats.at(-1) ?? 0) - (beats[0] ?? 0)).toBeGreaterThan(600)
  expect(at('/while').length).toBeGreaterThanOrEqual(2)
  expect(at('/while').length).toBeLessThanOrEqual(8)
  expect(stepOf(summary, 'pass').count).toBe(15)
  expect(new Set(server.seen.filter(({ url }) => url.startsWith('/pass')).map(({ url }) => url)).size).toBe(5)
  expect(new Set(server.seen.filter(({ url }) => url.startsWith('/capped')).map(({ url }) => url)).size).toBe(2)
  const books = Object.fromEntries(result.shard.books.map(({ population, ...book }) => [population, book]))
  expect(books.capped).toMatchObject({ dropped: 3, interrupted: 0 })
  expect(books.passes).toMatchObject({ planned: 5, started: 5, finished: 5 })
  expect(books.short?.started).toBeLessThanOrEqual(15)
  expect(summary.populations.find(({ population }) => population === 'passes')?.passes).toBe(15)
  expect(result.shard.imbalances).toEqual([])
})

test('each session runs one of the scenarios with weights; conditions lie within conditions', async () => {
  const server = await loggingServer()
  const when = (path: string, then: object[], otherwise: object[]) => ({
    type: 'when',
    if: { [path]: { $lte: 100 } },
    then,
    else: otherwise,
  })
  const { summary } = await run(
    inline({
      http: { baseUrl: server.url },
      seed: 5,
      inject: [{ type: 'iterations', iterations: 200, users: 8 }],
      scenarios: [
        { name: 'often', weight: 3, steps: [get('often', '/often')] },
        {
          name: 'seldom',
          weight: 1,
          imports: { n: '{{randomInt(1,200)}}', m: '{{randomInt(1,200)}}' },
          steps: [
            when(
              '$._s.n',
              [when('$._s.m', [get('both', '/both/{{$._s.n}}/{{$._s.m}}')], [get('first', '/first/{{$._s.n}}')])],
              [{ type: 'group', name: 'rest', steps: [when('$._s.m', [get('second', '/second')], [])] }],
            ),
          ],
        },
      ],
    }),
  )
  const often = stepOf(summary, 'often').count
  // 150 are expected with a standard deviation of 6; the seed is fixed, so this is no gamble.
  expect(Math.abs(often - 150)).toBeLessThan(20)
  for (const step of ['both', 'first']) expect(stepOf(summary, step).count).toBeGreaterThan(3)
  expect(stepOf(summary, 'second')).toMatchObject({ group: 'rest' })
  expect(summary.groups[0]?.ok).toBeGreaterThanOrEqual(stepOf(summary, 'second').count)
  for (const { url } of server.seen) {
    const [, kind, n, m] = url.split('/')
    if (n !== undefined) expect(Number(n)).toBeLessThanOrEqual(100)
    if (kind === 'both') expect(Number(m)).toBeLessThanOrEqual(100)
  }
})

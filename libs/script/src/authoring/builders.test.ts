import { check } from '@onrush/protocol/check'
import { Simulation } from '@onrush/protocol/simulation'
import { describe, expect, it } from 'vitest'
import * as onrush from '../onrush.ts'

const {
  atOnce,
  choose,
  constantRate,
  constantUsers,
  csv,
  during,
  group,
  grpc,
  heaviside,
  hold,
  http,
  iterations,
  json,
  jsonl,
  jump,
  nothingFor,
  pace,
  pause,
  ramp,
  rampRate,
  rampUsers,
  reach,
  repeat,
  rows,
  rpc,
  scenario,
  secret,
  simulation,
  sql,
  stairsRate,
  stairsUsers,
  step,
  threshold,
  when,
} = onrush

const stairs = { from: 1, step: 2, times: 3, eachLevelLasting: '5s' } as const
const home = http.get('home', 'http://127.0.0.1/')

describe('builders', () => {
  it.each<[string, unknown, unknown]>([
    ['nothingFor', nothingFor('1s'), { type: 'nothingFor', duration: '1s' }],
    ['atOnce', atOnce(3), { type: 'atOnceUsers', users: 3 }],
    ['ramp', ramp(3, '1s'), { type: 'rampUsers', users: 3, duration: '1s' }],
    ['constantRate', constantRate(3, '1s'), { type: 'constantUsersPerSec', rate: 3, duration: '1s' }],
    ['rampRate', rampRate(1, 3, '1s'), { type: 'rampUsersPerSec', from: 1, to: 3, duration: '1s' }],
    ['heaviside', heaviside(3, '1s'), { type: 'heavisideUsers', users: 3, duration: '1s' }],
    ['stairsRate', stairsRate(stairs), { type: 'incrementUsersPerSec', ...stairs }],
    ['constantUsers', constantUsers(3, '1s'), { type: 'constantConcurrentUsers', users: 3, duration: '1s' }],
    ['rampUsers', rampUsers(1, 3, '1s'), { type: 'rampConcurrentUsers', from: 1, to: 3, duration: '1s' }],
    ['stairsUsers', stairsUsers(stairs), { type: 'incrementConcurrentUsers', ...stairs }],
    ['iterations', iterations(9), { type: 'iterations', iterations: 9, users: 1 }],
    [
      'iterations over users',
      iterations(9, 3, { maxDuration: '1m' }),
      { type: 'iterations', iterations: 9, users: 3, maxDuration: '1m' },
    ],
    ['reach', reach(9, '1s'), { type: 'reach', rps: 9, in: '1s' }],
    ['hold', hold('1s'), { type: 'hold', for: '1s' }],
    ['jump', jump(9), { type: 'jump', rps: 9 }],
    ['a fixed pause', pause('1s'), { type: 'pause', for: '1s' }],
    [
      'a pause as value and unit',
      pause({ value: 1, unit: 'second' }),
      { type: 'pause', for: { value: 1, unit: 'second' } },
    ],
    ['a pause between', pause('1s', '3s'), { type: 'pause', min: '1s', max: '3s' }],
    ['a drawn pause', pause({ mean: '1s' }), { type: 'pause', mean: '1s' }],
    ['pace', pace('1s'), { type: 'pace', every: '1s' }],
    ['group', group('g', [home]), { type: 'group', name: 'g', steps: [home] }],
    ['repeat', repeat(2, [home]), { type: 'repeat', times: 2, steps: [home] }],
    ['during', during('1s', [home]), { type: 'during', for: '1s', steps: [home] }],
    ['choose', choose([{ weight: 1, steps: [home] }]), { type: 'choose', of: [{ weight: 1, steps: [home] }] }],
    ['csv', csv('a.csv', { order: 'shuffle' }), { file: 'a.csv', format: 'csv', order: 'shuffle' }],
    ['json', json('a.json'), { file: 'a.json', format: 'json' }],
    ['jsonl', jsonl('a.jsonl'), { file: 'a.jsonl', format: 'jsonl' }],
    ['rows', rows([{ a: 1 }], { share: 'unique' }), { rows: [{ a: 1 }], share: 'unique' }],
    ['secret', secret('x'), { $secret: 'x' }],
    ['threshold', threshold('p(95)<5', { over: '30s', abort: true }), { check: 'p(95)<5', over: '30s', abort: true }],
    [
      'sql.query',
      sql.query('q', 'select ?', { on: 'db', params: [1] }),
      { type: 'sql', name: 'q', query: 'select ?', on: 'db', params: [1] },
    ],
    [
      'sql.transaction',
      sql.transaction('t', ['select 1', { query: 'select ?', params: [2] }], { on: 'db' }),
      { type: 'sql', name: 't', transaction: [{ query: 'select 1' }, { query: 'select ?', params: [2] }], on: 'db' },
    ],
    [
      'grpc.call',
      grpc.call('c', 'shop.Catalog/GetItem', { message: { id: 1 } }),
      { type: 'grpc', name: 'c', method: 'shop.Catalog/GetItem', message: { id: 1 } },
    ],
    ['rpc.call', rpc.call('c', 'add', [1, 2]), { type: 'jsonrpc', name: 'c', method: 'add', params: [1, 2] }],
    ['rpc.call without params', rpc.call('c', 'ping'), { type: 'jsonrpc', name: 'c', method: 'ping' }],
    [
      'rpc.notify',
      rpc.notify('n', 'seen', [1]),
      { type: 'jsonrpc', name: 'n', method: 'seen', params: [1], notification: true },
    ],
    ['rpc.batch', rpc.batch('b', [{ method: 'a' }]), { type: 'jsonrpc', name: 'b', batch: [{ method: 'a' }] }],
  ])('%s', (_, built, data) => {
    expect(built).toEqual(data)
    expect(structuredClone(built)).toEqual(data)
  })

  it.each(['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const)('http.%s', method => {
    expect(http[method]('n', '/x', { redirects: 0 })).toEqual({
      type: 'http',
      name: 'n',
      method: method.toUpperCase(),
      url: '/x',
      redirects: 0,
    })
  })

  it('keeps a condition plain data, whether something is done otherwise or not', () => {
    const condition = when({ '$._s.a': 1 }, [home])
    const data = { type: 'when', if: { '$._s.a': 1 }, then: [home] }
    expect(JSON.parse(JSON.stringify(condition))).toEqual(data)
    expect(structuredClone(condition)).toEqual(data)
    expect(structuredClone(condition.otherwise([pause('1s')]))).toEqual({
      ...data,
      else: [{ type: 'pause', for: '1s' }],
    })
  })

  it('builds only what the schema accepts', () => {
    const run = () => undefined
    const built = simulation({
      http: { baseUrl: 'http://127.0.0.1' },
      sql: { db: { client: 'pg', connection: 'postgres://127.0.0.1/x' } },
      grpc: { catalog: { address: '127.0.0.1:7091' } },
      jsonrpc: { url: 'http://127.0.0.1/rpc' },
      throttle: [reach(9, '1s'), hold('1s'), jump(3)],
      scenarios: [
        scenario('open', {
          inject: [
            nothingFor('1s'),
            atOnce(3),
            ramp(3, '1s'),
            constantRate(3, '1s'),
            rampRate(1, 3, '1s'),
            heaviside(3, '1s'),
            stairsRate(stairs),
          ],
          feed: [csv('a.csv'), json('a.json'), jsonl('a.jsonl'), rows([{ a: 1 }])],
          steps: [
            home,
            pause('1s'),
            pause('1s', '3s'),
            pause({ mean: '1s', distribution: 'normal', stddev: '100ms' }),
            pace('1s'),
            group('g', [home]),
            repeat('{{$._s.n}}', [home]),
            during('1s', [home]),
            when({ '$._s.a': 1 }, [home]).otherwise([]),
            choose([{ weight: 1, steps: [home] }]),
            step('code', run, { onFailure: 'continue' }),
            sql.query('q', 'select ?', { on: 'db', params: [1] }),
            sql.transaction('t', ['select 1'], { on: 'db' }),
            grpc.call('c', 'shop.Catalog/GetItem'),
            rpc.call('c', 'add', { a: 1 }),
            rpc.notify('n', 'seen'),
            rpc.batch('b', [{ method: 'a' }, { method: 'b', notification: true }]),
          ],
        }),
        scenario('closed', {
          inject: [constantUsers(3, '1s'), rampUsers(1, 3, '1s'), stairsUsers(stairs)],
          steps: [home],
        }),
        scenario('fixed', { inject: [iterations(9)], steps: [home] }),
      ],
      thresholds: { duration: ['p(95)<5', threshold('p(99)<9', { after: '1m' })] },
    })
    expect(check(Simulation, built)).toEqual({ ok: true, value: built })
  })

  it('exports nothing but builders', () => {
    const others = Object.entries(onrush).filter(([, value]) => typeof value !== 'function')
    expect(others.map(([name]) => name).sort()).toEqual(['grpc', 'http', 'rpc', 'sql'])
  })
})

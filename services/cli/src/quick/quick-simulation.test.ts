import { Simulation } from '@onrush/protocol/simulation'
import { expect, it } from 'vitest'
import { profileOf, type QuickFlags, quickSimulation, simulationOfQuick } from './quick-simulation.ts'

const none: QuickFlags = {
  users: undefined,
  requests: undefined,
  duration: undefined,
  rate: undefined,
  method: undefined,
  header: [],
  body: undefined,
  assert: [],
  timeout: undefined,
  insecure: false,
  sql: undefined,
  grpc: undefined,
}

it.each<[Partial<QuickFlags>, object]>([
  [{}, { type: 'iterations', iterations: 200, users: 50 }],
  [{ users: 10 }, { type: 'iterations', iterations: 200, users: 10 }],
  [{ requests: 5 }, { type: 'iterations', iterations: 5, users: 5 }],
  [{ duration: '10s' }, { type: 'constantConcurrentUsers', users: 50, duration: '10s' }],
  [
    { rate: 10, duration: '10s' },
    { type: 'constantUsersPerSec', rate: 10, duration: '10s' },
  ],
  [
    { rate: 10, requests: 25 },
    { type: 'constantUsersPerSec', rate: 10, duration: { value: 2.5, unit: 'second' } },
  ],
])('plans %j', (flags, injection) => {
  expect(profileOf({ ...none, ...flags })).toEqual([injection])
})

it('makes a simulation of one request', () => {
  const simulation = quickSimulation('example.com/a?b=1', {
    ...none,
    header: [
      ['Accept', 'a'],
      ['accept', 'b'],
    ],
    body: '{"id":1}',
    assert: ['$.status=200', '$.status<300'],
    timeout: '2s',
    insecure: true,
  })
  expect(Simulation.safeParse(simulation).success).toBe(true)
  expect(simulation.http).toEqual({ timeout: { total: '2s' }, tls: { insecure: true } })
  expect(simulation.thresholds).toEqual({ checks: ['rate==1'] })
  expect(simulation.scenarios[0]?.steps).toEqual([
    {
      type: 'http',
      name: 'POST /a',
      method: 'POST',
      url: 'http://example.com/a?b=1',
      headers: { accept: 'a, b', 'content-type': 'application/json' },
      body: '{"id":1}',
      assert: { $and: [{ '$.status': 200 }, { '$.status': { $lt: 300 } }] },
    },
  ])
})

it('keeps no body that nobody looks at', () => {
  expect(quickSimulation('http://x/', none).http).toEqual({ discardBody: true })
})

it('makes one call or one statement of its flags, with the load that they plan', () => {
  const call = simulationOfQuick('127.0.0.1:7091', {
    ...none,
    grpc: 'shop.Catalog/GetItem',
    body: '{"id":7}',
    header: [['x-a', 'b']],
  })
  expect(call.scenarios[0]?.steps[0]).toMatchObject({ type: 'grpc', message: { id: 7 }, metadata: { 'x-a': 'b' } })
  const statement = simulationOfQuick('postgres://u:p@host/db', { ...none, sql: 'select 1', users: 4, duration: '5s' })
  expect(statement.scenarios[0]).toMatchObject({
    inject: [{ type: 'constantConcurrentUsers', users: 4, duration: '5s' }],
    steps: [{ type: 'sql', query: 'select 1' }],
  })
  expect(JSON.stringify(statement.description)).not.toContain('postgres')
})

it.each<[Partial<QuickFlags>, string]>([
  [{ sql: 'select 1', method: 'PUT', header: [['a', 'b']], body: 'x', insecure: true }, '-m -H -b -k'],
  [{ grpc: 'a.B/C', method: 'PUT' }, '-m'],
])('refuses flags that would mean nothing: %j', (flags, refused) => {
  expect(() => simulationOfQuick('host:1', { ...none, ...flags })).toThrow(
    expect.objectContaining({ errors: refused.split(' ').map(path => expect.objectContaining({ path })) }),
  )
})

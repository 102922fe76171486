import { expect, it } from 'vitest'
import { check } from './check.ts'
import { Simulation } from './simulation.ts'
import { Single, simulationOfSingle } from './single.ts'
import { singleFromQuery } from './single-query.ts'

const url = 'http://127.0.0.1:7090/json?page=1'
const faults = (query: string) => {
  const checked = singleFromQuery(new URLSearchParams(query))
  return checked.ok ? {} : Object.fromEntries(checked.faults.map(fault => [fault.path, fault.message]))
}

it.each([
  ['a rate', { rate: 50, duration: '6s' }, { type: 'constantUsersPerSec', rate: 50, duration: '6s' }],
  ['users', { users: 3, duration: '6s' }, { type: 'constantConcurrentUsers', users: 3, duration: '6s' }],
  ['iterations', { iterations: 10 }, { type: 'iterations', iterations: 10, users: 1, maxDuration: undefined }],
])('makes a simulation of %s', (_, load, injection) => {
  const checked = check(Single, { url, ...load })
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults))
  const simulation = simulationOfSingle(checked.value)
  expect(simulation.scenarios[0]?.inject).toEqual([injection])
  expect(simulation.scenarios[0]?.steps[0]).toMatchObject({ type: 'http', name: 'GET /json', url })
  expect(check(Simulation, simulation).ok).toBe(true)
})

it('reads the common fields from a query', () => {
  const query = new URLSearchParams([
    ['url', url],
    ['rate', '50'],
    ['duration', '6s'],
    ['header', 'accept: text/plain'],
    ['header', 'x-a:b:c'],
    ['assert', '$.status=200'],
    ['workers', 'w1,w2'],
  ])
  expect(singleFromQuery(query)).toEqual({
    ok: true,
    value: {
      url,
      rate: 50,
      duration: '6s',
      headers: { accept: 'text/plain', 'x-a': 'b:c' },
      assert: { '$.status': 200 },
      workers: ['w1', 'w2'],
    },
  })
})

it('names every wrong parameter of a query at once', () => {
  expect(faults('rat=5&users=many&duration=3x&assert=status&header=x&url=a&url=b')).toEqual({
    '?rat': expect.stringContaining('did you mean "rate"?'),
    '?users': 'expected a number, got "many"',
    '?duration': expect.stringContaining('expected a duration like'),
    '?assert': expect.stringContaining('like "$.status=200"'),
    '?header': 'expected "Name: value", got "x"',
    '?url': 'expected "url" once, got it 2 times',
  })
})

it.each([
  ['no load at all', {}, '$.inject'],
  ['a rate without an end', { rate: 5 }, '$.duration'],
  ['users without an end', { users: 5 }, '$.users'],
  ['two loads', { users: 5, duration: '1s', inject: [{ type: 'atOnceUsers', users: 1 }] }, '$.users'],
])('refuses %s', (_, load, path) => {
  const checked = check(Single, { url, ...load })
  expect(checked.ok ? [] : checked.faults.map(fault => fault.path)).toContain(path)
})

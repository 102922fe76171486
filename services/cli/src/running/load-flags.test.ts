import { OnrushError } from '@onrush/protocol/error'
import { Profile } from '@onrush/protocol/injection'
import { Simulation } from '@onrush/protocol/simulation'
import { expect, it } from 'vitest'
import { type LoadFlags, loadOf } from './load-flags.ts'
import { stage } from './stages.ts'

const none: LoadFlags = {
  users: undefined,
  duration: undefined,
  rate: undefined,
  iterations: undefined,
  stage: [],
  'max-duration': undefined,
  'start-after': undefined,
  'ramp-down': undefined,
  'think-times': undefined,
}
const simulation = (inject?: Profile) =>
  Simulation.parse({
    ...(inject === undefined ? {} : { inject }),
    scenarios: [{ name: 'a', steps: [{ type: 'http', name: 'x', method: 'GET', url: 'http://x' }] }],
  })
const rate: Profile = [{ type: 'constantUsersPerSec', rate: 20, duration: '5m' }]
const users: Profile = [{ type: 'constantConcurrentUsers', users: 5, duration: '30s' }]
const shared: Profile = [{ type: 'iterations', iterations: 100, users: 10 }]
const ramp: Profile = [...rate, { type: 'rampUsersPerSec', from: 20, to: 1, duration: '1m' }]

it.each<[string, Partial<LoadFlags>, Profile | undefined, object]>([
  ['nothing changes nothing', {}, rate, {}],
  ['users for a time', { users: 3, duration: '10s' }, ramp, { inject: [{ ...users[0], users: 3, duration: '10s' }] }],
  ['a rate for a time', { rate: 0.5, duration: '10s' }, ramp, { inject: [{ ...rate[0], rate: 0.5, duration: '10s' }] }],
  [
    'a rate with a ceiling of users',
    { rate: 9, duration: '1m', users: 4 },
    undefined,
    { inject: [{ ...rate[0], rate: 9, duration: '1m' }], maxUsers: 4 },
  ],
  ['iterations of one user', { iterations: 7 }, rate, { inject: [{ ...shared[0], iterations: 7, users: 1 }] }],
  [
    'iterations shared by users within a time',
    { iterations: 7, users: 3, duration: '10s' },
    rate,
    { inject: [{ type: 'iterations', iterations: 7, users: 3, maxDuration: '10s' }] },
  ],
  ['users of a script with users', { users: 9 }, users, { inject: [{ ...users[0], users: 9 }] }],
  ['users of a script with iterations', { users: 9 }, shared, { inject: [{ ...shared[0], users: 9 }] }],
  [
    'users of a script without a load',
    { users: 9 },
    undefined,
    { inject: [{ ...shared[0], iterations: 9, users: 9 }] },
  ],
  ['a rate of a script with a rate', { rate: 9 }, rate, { inject: [{ ...rate[0], rate: 9 }] }],
  ['a duration of a script with a rate', { duration: '9s' }, rate, { inject: [{ ...rate[0], duration: '9s' }] }],
  [
    'a duration of a script with iterations',
    { duration: '9s' },
    shared,
    { inject: [{ ...shared[0], maxDuration: '9s' }] },
  ],
  ['a duration alone', { duration: '9s' }, undefined, { inject: [{ ...users[0], users: 1, duration: '9s' }] }],
  [
    'stages of users',
    {
      stage: [
        { duration: '10s', target: 5 },
        { duration: '20s', target: 5 },
        { duration: '5s', target: 0 },
      ],
    },
    rate,
    {
      inject: [
        { type: 'rampConcurrentUsers', from: 0, to: 5, duration: '10s' },
        { type: 'constantConcurrentUsers', users: 5, duration: '20s' },
        { type: 'rampConcurrentUsers', from: 5, to: 0, duration: '5s' },
      ],
    },
  ],
  [
    'stages of a rate that jump first',
    {
      rate: 1,
      stage: [
        { duration: '0s', target: 50 },
        { duration: '10s', target: 50 },
      ],
    },
    rate,
    { inject: [{ type: 'constantUsersPerSec', rate: 50, duration: '10s' }] },
  ],
  [
    'what stands around the load',
    { 'max-duration': '1m', 'start-after': '2s', 'ramp-down': '3s', 'think-times': 0 },
    rate,
    { maxDuration: '1m', startAfter: '2s', rampDown: '3s', thinkTimes: 0 },
  ],
])('reads %s', (_, flags, own, expected) => {
  const load = loadOf({ ...none, ...flags }, simulation(own))
  expect(load).toEqual(expected)
  if (load.inject !== undefined) Profile.parse(load.inject)
})

it.each<[string, Partial<LoadFlags>, Profile | undefined, string]>([
  ['a rate and iterations', { rate: 1, iterations: 1 }, rate, '--rate'],
  ['stages and a duration', { duration: '1s', stage: [{ duration: '1s', target: 1 }] }, rate, '--duration'],
  ['stages and iterations', { iterations: 1, stage: [{ duration: '1s', target: 1 }] }, rate, '--iterations'],
  ['half a user', { stage: [{ duration: '1s', target: 1.5 }] }, rate, '--stage'],
  ['stages that never last', { stage: [{ duration: '0s', target: 1 }] }, rate, '--stage'],
  ['users alone over a rate', { users: 1 }, rate, '--users'],
  ['a rate alone over users', { rate: 1 }, users, '--rate'],
  ['a duration alone over several steps', { duration: '1s' }, ramp, '--duration'],
])('refuses %s', (_, flags, own, path) => {
  const refused = () => loadOf({ ...none, ...flags }, simulation(own))
  expect(refused).toThrow(OnrushError)
  expect(refused).toThrow(expect.objectContaining({ errors: [expect.objectContaining({ path })] }))
})

it.each([
  ['30s:10', { value: { duration: '30s', target: 10 } }],
  ['5:2.5', { value: { duration: '5s', target: 2.5 } }],
  ['30s', { problem: expect.stringContaining('"30s:10"') }],
  ['30s:x', { problem: expect.stringContaining('got "30s:x"') }],
  ['1s:2:3', { problem: expect.stringContaining('duration:target') }],
])('reads the stage %s', (text, expected) => {
  expect(stage(text)).toEqual(expected)
})

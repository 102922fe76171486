import { plainSpaces } from '@onrush/protocol/figures'
import type { Profile } from '@onrush/protocol/injection'
import { expect, it } from 'vitest'
import { previewOf } from './preview.ts'

it.each<[Profile, string]>([
  [[{ type: 'constantUsersPerSec', rate: 50, duration: '1m' }], '3 000 sessions in 1 m, at most 50.0 /s'],
  [
    [
      { type: 'rampUsersPerSec', from: 0, to: 100, duration: '10s' },
      { type: 'constantUsersPerSec', rate: 100, duration: '20s' },
    ],
    '2 500 sessions in 30 s, at most 100 /s',
  ],
  [[{ type: 'constantConcurrentUsers', users: 50, duration: '30s' }], 'At most 50 sessions at once, for 30 s'],
  [[{ type: 'iterations', iterations: 1000, users: 10 }], '1 000 sessions by 10 at once, until they are done'],
])('says of %j: %s', (profile, sentence) => {
  expect(plainSpaces(previewOf(profile).sentence)).toBe(sentence)
})

it('draws what adds up to the sessions it names', () => {
  const { points, durationMs = 0 } = previewOf([{ type: 'rampUsersPerSec', from: 0, to: 100, duration: '10s' }])
  const width = durationMs / points.length / 1000
  expect(points.reduce((sum, { value }) => sum + value * width, 0)).toBeCloseTo(500, 6)
})

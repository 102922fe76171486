import type { Frame } from '@onrush/protocol/frame'
import { expect, it } from 'vitest'
import { secondsIn } from './gather.ts'

const frame = (...ranges: [number, number][]): Frame => ({
  v: 1,
  run: 'r',
  covers: [['w', ranges]],
  from: 0,
  to: 1,
  counts: { steps: [], groups: [], populations: [], generator: {}, metrics: [], samples: [] },
})

it.each([
  ['nothing', [], 0],
  ['single seconds', [frame([1, 1]), frame([2, 2])], 2],
  ['seconds added up', [frame([1, 30]), frame([31, 31])], 31],
  ['a frame that came twice', [frame([1, 1]), frame([1, 1])], 1],
])('counts the seconds in %s', (_, frames, seconds) => {
  expect(secondsIn(frames)).toBe(seconds)
})

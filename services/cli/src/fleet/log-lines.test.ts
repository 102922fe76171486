import { expect, it } from 'vitest'
import { prefixed, readable } from './log-lines.ts'

it.each([
  [
    '{"time":"2026-01-02T03:04:05Z","level":"info","message":"worker listening","node":"w1","url":"http://x","threads":2}',
    'worker listening url=http://x threads=2',
  ],
  ['{"level":"error","message":"broken","error":"Error: two words\\n at x"}', 'error: broken error="Error: two words"'],
  ['worker w1 on http://x', 'worker w1 on http://x'],
  ['{"not ours', '{"not ours'],
])('reads %s', (line, expected) => {
  expect(readable(line)).toBe(expected)
})

it('puts the name before whole lines only', () => {
  const lines: string[] = []
  const hear = prefixed('w1', 4, line => lines.push(line))
  hear('one\ntw')
  hear('o\nthree')
  expect(lines).toEqual(['w1   │ one\n', 'w1   │ two\n'])
})

import { expect, test } from 'vitest'
import { FailureSamples } from './failure-samples.ts'

test('a few of each step and kind are wanted, and not many in all', () => {
  const samples = new FailureSamples(() => undefined)
  const wanted = Array.from({ length: 10 }, () => samples.wants('a', 'status'))
  expect(wanted.filter(Boolean)).toHaveLength(3)
  expect(samples.wants('a', 'reset')).toBe(true)
  expect(samples.wants('b', 'status')).toBe(true)
  const more = Array.from({ length: 5000 }, (_, i) => samples.wants(`step ${i}`, 'status'))
  expect(more.filter(Boolean)).toHaveLength(195)
})

import { Random } from '@onrush/context/random'
import type { PauseStep } from '@onrush/protocol/step'
import { describe, expect, test } from 'vitest'
import { Session } from '../session/session.ts'
import { compilePause } from './pause.ts'

/** The lengths of many pauses, which are over as soon as they begin: they began an hour ago. */
function lengths(step: Omit<PauseStep, 'type'>, thinkTimes = 1): number[] {
  const run = compilePause({ type: 'pause', ...step }, thinkTimes)
  const session = new Session({ sendLag: () => undefined })
  const random = new Random(1, 1)
  Object.defineProperty(session.context, 'random', { value: random })
  return Array.from({ length: 5000 }, () => {
    const before = performance.now() - 3_600_000
    session.ended(before)
    expect(run(session)).toBeUndefined()
    return session.due - before
  })
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('a pause', () => {
  test('is as long as it says, times the think times', () => {
    expect(new Set(lengths({ for: '2s' }).map(Math.round))).toEqual(new Set([2000]))
    expect(new Set(lengths({ for: '2s' }, 0.5).map(Math.round))).toEqual(new Set([1000]))
    expect(new Set(lengths({ for: '2s' }, 0))).toEqual(new Set([0]))
  })

  test('lies evenly in its range', () => {
    const drawn = lengths({ min: '1s', max: '3s' })
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(3000)
    // The mean of 5000 has a standard error of 8 ms; the seed is fixed.
    expect(Math.abs(mean(drawn) - 2000)).toBeLessThan(40)
  })

  test.each([
    ['exponential', { mean: '100ms', distribution: 'exponential' }],
    ['normal', { mean: '100ms', stddev: '20ms', distribution: 'normal' }],
    ['uniform', { mean: '100ms', distribution: 'uniform' }],
  ] as const)('has the mean it was given: %s', (_, step) => {
    const drawn = lengths(step)
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
    expect(Math.abs(mean(drawn) - 100)).toBeLessThan(8)
  })
})

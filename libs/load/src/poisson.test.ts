import type { OpenInjection } from '@onrush/protocol/injection'
import { describe, expect, test } from 'vitest'
import { openPacer } from './pacer.ts'

const constant: OpenInjection[] = [{ type: 'constantUsersPerSec', rate: 1000, duration: '200s' }]
const poisson = (inject: OpenInjection[], seed: number, maxDuration?: number) =>
  openPacer(inject, { arrivals: 'poisson', seed, maxDuration })

function gapsOf(seed: number): number[] {
  const pacer = poisson(constant, seed)
  let before = 0
  return Array.from({ length: pacer.total }, (_, i) => {
    const due = pacer.dueAt(i + 1)
    const gap = due - before
    before = due
    return gap
  })
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe('Poisson arrivals', () => {
  test.each([1, 2, 2 ** 40 + 7])('seed %d: gaps are exponential and do not remember each other', seed => {
    const gaps = gapsOf(seed)
    const average = mean(gaps)
    expect(average).toBeCloseTo(1, 2) // 1000/s; 200,000 gaps have a standard error of 0.0022
    const variance = mean(gaps.map(gap => (gap - average) ** 2))
    expect(Math.abs(Math.sqrt(variance) / average - 1)).toBeLessThan(0.015)
    // The largest distance from the exponential distribution (Kolmogorov and Smirnov): beyond 1.95/√n once in a thousand.
    const sorted = gaps.toSorted((a, b) => a - b)
    const distance = sorted.reduce(
      (worst, gap, i) => Math.max(worst, Math.abs(1 - Math.exp(-gap / average) - (i + 0.5) / sorted.length)),
      0,
    )
    expect(distance).toBeLessThan(1.95 / Math.sqrt(gaps.length))
    const remembered = mean(gaps.slice(1).map((gap, i) => (gap - average) * ((gaps[i] ?? 0) - average))) / variance
    expect(Math.abs(remembered)).toBeLessThan(0.01)
  })

  test('counts per second scatter as they should: their variance is their mean', () => {
    const pacer = poisson(constant, 9)
    const counts = Array.from({ length: 200 }, (_, s) => pacer.plannedBy((s + 1) * 1000) - pacer.plannedBy(s * 1000))
    expect(mean(counts)).toBe(1000)
    const dispersion = mean(counts.map(count => (count - 1000) ** 2)) / 1000
    expect(dispersion).toBeGreaterThan(0.65) // 200 counts: standard error 0.1
    expect(dispersion).toBeLessThan(1.4)
  })

  test('the rate follows the profile: in the first half of a ramp from nothing comes a quarter', () => {
    const pacer = poisson([{ type: 'rampUsersPerSec', from: 0, to: 1000, duration: '100s' }], 4)
    expect(pacer.total).toBe(50_000)
    expect(Math.abs(pacer.plannedBy(50_000) - 12_500)).toBeLessThan(4 * Math.sqrt(50_000 * 0.25 * 0.75))
  })

  test('no arrival is added or removed, with or without a cut, and all lie within the plan', () => {
    for (const maxDuration of [undefined, 77_777]) {
      const even = openPacer(constant, { maxDuration })
      const scattered = poisson(constant, 5, maxDuration)
      expect(scattered.total).toBe(even.total)
      expect(scattered.dueAt(1)).toBeGreaterThan(0)
      expect(scattered.dueAt(scattered.total)).toBeLessThanOrEqual(scattered.duration)
      expect(scattered.dueAt(scattered.total + 1)).toBe(Number.POSITIVE_INFINITY)
    }
  })

  test('users at once stay at once, and none come in a pause', () => {
    const pacer = poisson(
      [
        { type: 'constantUsersPerSec', rate: 100, duration: '1s' },
        { type: 'atOnceUsers', users: 50 },
        { type: 'nothingFor', duration: '1s' },
        { type: 'constantUsersPerSec', rate: 100, duration: '1s' },
      ],
      6,
    )
    const due = Array.from({ length: pacer.total }, (_, i) => pacer.dueAt(i + 1))
    expect(due.filter(t => t === 1000)).toHaveLength(50)
    expect(due.filter(t => t > 1000 && t <= 2000)).toHaveLength(0)
    expect(due.filter(t => t > 2000)).toHaveLength(100)
    expect(due.toSorted((a, b) => a - b)).toEqual(due)
  })

  test('another seed is another run, the same seed the same', () => {
    expect(poisson(constant, 1).dueAt(777)).toBe(poisson(constant, 1).dueAt(777))
    expect(poisson(constant, 1).dueAt(777)).not.toBe(poisson(constant, 2).dueAt(777))
  })
})

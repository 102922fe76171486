import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisTime, liveSpan, niceCeil } from './nice.ts'

describe('the top of an axis', () => {
  it.each([
    [0, 1],
    [Number.NaN, 1],
    [0.93, 1],
    [1, 1],
    [1.01, 1.5],
    [47, 50],
    [101, 150],
    [8001, 10_000],
  ])('of values up to %d is %d', (value, top) => {
    expect(niceCeil(value)).toBeCloseTo(top, 9)
  })

  it('lies above all values, but not by more than a half', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), value => {
        const top = niceCeil(value)
        expect(top).toBeGreaterThanOrEqual(value * 0.99999)
        expect(top).toBeLessThanOrEqual(value * 1.51)
      }),
    )
  })
})

describe('the time that a live chart shows', () => {
  it.each([
    [0, 300, 10],
    [20, undefined, 30],
    [25, 30, 30],
    [25, 3600, 30],
    [280, 300, 300],
    [310, 300, 420],
  ])('after %d s of %d planned is %d s', (elapsed, planned, span) => {
    expect(liveSpan(elapsed, planned)).toBe(span)
  })

  it('always holds what has passed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 600_000 }),
        fc.option(fc.integer({ min: 1, max: 600_000 })),
        (elapsed, planned) => {
          expect(liveSpan(elapsed, planned ?? undefined)).toBeGreaterThanOrEqual(elapsed)
        },
      ),
    )
  })
})

it.each([
  [0, '0'],
  [0.5, '0.5 s'],
  [30, '30 s'],
  [90, '1 m 30 s'],
  [120, '2 m'],
  [3600, '1 h'],
  [5400, '1 h 30 m'],
])('writes %d s on a time axis as %s', (seconds, text) => {
  expect(axisTime(seconds)).toBe(text)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, change, count, duration, latency, plain, plainSpaces, rate, share } from './figures.ts'

const table = (write: (value: number) => string, rows: readonly (readonly [number, string])[]) =>
  it.each(rows)('writes %d as %s', (value, text) => {
    expect(plainSpaces(write(value))).toBe(text)
  })

describe('latency', () => {
  table(latency, [
    [0, '0 ms'],
    [0.001, '1.00 µs'],
    [0.84, '840 µs'],
    [0.9994, '999 µs'],
    [0.9996, '1.00 ms'],
    [12.449, '12.4 ms'],
    [999.4, '999 ms'],
    [999.7, '1.00 s'],
    [1834, '1.83 s'],
    [59_940, '59.9 s'],
    [59_980, '1 m'],
    [90_000, '1 m 30 s'],
  ])
  it('always has a unit and never an exponent', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 3_600_000, noNaN: true }), ms => {
        expect(plainSpaces(latency(ms))).toMatch(/^[\d.]+ (µs|ms|s|m|h)( \d+ [smh])?$/)
      }),
    )
  })
})

describe('rate', () => {
  table(rate, [
    [0, '0 /s'],
    [0.05, '0.0500 /s'],
    [9.996, '10.0 /s'],
    [12.34, '12.3 /s'],
    [99.96, '100 /s'],
    [12_480.4, '12 480 /s'],
  ])
})

describe('share', () => {
  table(share, [
    [0, '0'],
    [0.0000001, '<0.01 %'],
    [0.0002, '0.02 %'],
    [0.0123, '1.23 %'],
    [0.5, '50.0 %'],
    [0.99999, '>99.99 %'],
    [0.9999, '99.99 %'],
    [1, '100 %'],
  ])
})

describe('duration', () => {
  table(duration, [
    [0, '0 ms'],
    [450, '450 ms'],
    [6200, '6.2 s'],
    [30_000, '30 s'],
    [59_960, '1 m'],
    [90_000, '1 m 30 s'],
    [3_600_000, '1 h'],
    [3_900_000, '1 h 5 m'],
    [90_000_000, '1 d 1 h'],
  ])
})

describe('bytes', () => {
  table(bytes, [
    [0, '0 B'],
    [999, '999 B'],
    [1234, '1.23 kB'],
    [999_999, '1.00 MB'],
    [5e15, '5.00 PB'],
    [5e19, '50000 PB'],
  ])
})

describe('counts and plain numbers', () => {
  table(count, [
    [0, '0'],
    [999, '999'],
    [1000, '1 000'],
    [1_234_567, '1 234 567'],
  ])
  table(plain, [
    [3, '3'],
    [-2.5, '−2.50'],
    [12_345.6, '12 346'],
    [0.012345, '0.0123'],
  ])
})

it.each([
  [100, 100, '±0'],
  [0, 5, 'new'],
  [100, 105.24, '+5.2 %'],
  [100, 88, '−12 %'],
  [1, 21, '+2 000 %'],
])('writes the change from %d to %d as %s', (from, to, text) => {
  expect(plainSpaces(change(from, to))).toBe(text)
})

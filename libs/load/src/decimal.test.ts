import { expect, test } from 'vitest'
import { decimal, parts, plus, times, toNumber, zero } from './decimal.ts'

test.each([
  { value: 0, digits: 0n, scale: 0, why: 'nothing' },
  { value: 2.3, digits: 23n, scale: 1, why: 'a rate as people write it' },
  { value: 1e-7, digits: 1n, scale: 7, why: 'JavaScript writes small numbers with an exponent' },
  { value: 1.5e21, digits: 1_500_000_000_000_000_000_000n, scale: 0, why: 'and large ones too' },
  { value: -0.25, digits: -25n, scale: 2, why: 'stairs may lead down' },
])('$value is exactly what was written: $why', ({ value, digits, scale }) => {
  expect(decimal(value)).toEqual({ digits, scale })
  expect(toNumber(decimal(value))).toBe(value)
})

test('ten times 0.1 is one, which it is not in doubles', () => {
  const sum = Array.from({ length: 10 }, () => decimal(0.1)).reduce(plus, zero)
  expect(parts(sum)).toEqual({ whole: 1, fraction: 0 })
})

test('a fraction with hundreds of digits is still a number', () => {
  const tiny = times(decimal(1e-300), decimal(1e-20))
  expect(parts(tiny)).toEqual({ whole: 0, fraction: 0 })
  expect(parts(plus(decimal(0.5), tiny))).toEqual({ whole: 0, fraction: 0.5 })
})

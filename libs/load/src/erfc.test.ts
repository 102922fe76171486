import { expect, test } from 'vitest'
import { erfc, erfcInverse } from './erfc.ts'

// Values from the tables of Abramowitz and Stegun (7.1) and their continuation to more digits.
test.each([
  { x: 0, value: 1 },
  { x: 0.5, value: 0.4795001221869535 },
  { x: 1, value: 0.15729920705028513 },
  { x: 1.9999999, value: 0.004677734981 + 2.0667e-9 },
  { x: 2, value: 0.004677734981047266 },
  { x: 3, value: 2.209049699858544e-5 },
  { x: 5, value: 1.537459794428035e-12 },
  { x: -1, value: 1.8427007929497148 },
])('erfc($x) is $value', ({ x, value }) => {
  expect(Math.abs(erfc(x) / value - 1)).toBeLessThan(1e-9)
})

test.each([1, 0.9, 0.5, 0.1, 1e-3, 1e-6, 1e-7, 2e-8])('the inverse of erfc at %d leads back', y => {
  expect(Math.abs(erfc(erfcInverse(y)) / y - 1)).toBeLessThan(1e-13)
})

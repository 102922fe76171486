import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Duration, durationMs } from './duration.ts'

it.each([
  ['500ms', 500],
  ['90s', 90_000],
  ['1.5s', 1500],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['1m250ms', 60_250],
  ['0s', 0],
  ['7d', 604_800_000],
])('reads %s as %d ms', (text, ms) => {
  expect(durationMs(Duration.parse(text))).toBe(ms)
})

it('reads a value with its unit', () => {
  expect(durationMs(Duration.parse({ value: 2, unit: 'minute' }))).toBe(120_000)
})

it.each(['', ' ', '5', '5 s', 's', '-1s', '1s1m', '8d', '1e3s'])('refuses "%s"', text => {
  expect(Duration.safeParse(text).success).toBe(false)
})

it('reads every whole combination of its units exactly', () => {
  const part = fc.nat(1000)
  fc.assert(
    fc.property(part, part, part, part, (h, m, s, ms) => {
      fc.pre(h <= 100)
      return durationMs(`${h}h${m}m${s}s${ms}ms`) === h * 3_600_000 + m * 60_000 + s * 1000 + ms
    }),
  )
})

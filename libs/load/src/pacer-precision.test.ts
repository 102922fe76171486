import type { OpenInjection } from '@onrush/protocol/injection'
import { describe, expect, test } from 'vitest'
import { openPacer } from './pacer.ts'

const constant = (rate: number, duration: string): OpenInjection => ({ type: 'constantUsersPerSec', rate, duration })

describe('counts are exact where doubles are not', () => {
  test.each([
    { rate: 2.3, duration: '100s', total: 230, why: '2.3 · 100000 / 1000 is 229.99999999999997' },
    { rate: 0.1, duration: '30s', total: 3, why: 'a tenth has no double' },
    { rate: 1.1, duration: '10s', total: 11, why: '1.1 · 10 is a little more than 11' },
    { rate: 115.74, duration: '24h', total: 9_999_936, why: 'a day at ten million' },
    { rate: 1000, duration: '1.001s', total: 1001, why: '1.001 · 1000 is 1000.9999999999999' },
  ])('$rate/s over $duration is $total: $why', ({ rate, duration, total }) => {
    const pacer = openPacer([constant(rate, duration)])
    expect(pacer.total).toBe(total)
    expect(pacer.dueAt(total)).toBeLessThanOrEqual(pacer.duration)
  })

  test('a thousand steps of a third of an arrival are 333', () => {
    const pacer = openPacer(Array.from({ length: 1000 }, () => constant(1 / 3, '1s')))
    expect(pacer.total).toBe(333)
    expect(pacer.dueAt(333)).toBeCloseTo(999_000, 6)
  })
})

describe('times agree with exact arithmetic', () => {
  interface Stage {
    from: bigint
    to: bigint
    seconds: bigint
  }
  const precision = 10n ** 18n

  /** Solves the same equation in whole numbers of 10⁻¹⁸ s, with an integer square root. */
  function exactMs(stages: Stage[], n: bigint): number {
    let twice = 2n * n
    let before = 0n
    for (const { from, to, seconds } of stages) {
      const area = (from + to) * seconds
      if (twice > area) {
        twice -= area
        before += seconds
        continue
      }
      const change = to - from
      const local =
        change === 0n
          ? (twice * precision) / (2n * from)
          : (root(seconds * (from * from * seconds + change * twice) * precision * precision) -
              from * seconds * precision) /
            change
      return Number((before * precision + local) / 10n ** 6n) / 1e9
    }
    return Number.POSITIVE_INFINITY
  }

  function root(value: bigint): bigint {
    if (value < 2n) return value
    let x = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
    for (;;) {
      const y = (x + value / x) >> 1n
      if (y >= x) return x
      x = y
    }
  }

  const day = 86_400n
  test.each<{ why: string; stages: Stage[] }>([
    {
      why: "k6's own comparison of its arithmetic with rationals",
      stages: [
        { from: 0n, to: 200n, seconds: 1n },
        { from: 200n, to: 200n, seconds: 1n },
        { from: 200n, to: 2000n, seconds: 1n },
        { from: 2000n, to: 2000n, seconds: 1n },
        { from: 2000n, to: 300n, seconds: 1n },
        { from: 300n, to: 300n, seconds: 1n },
        { from: 300n, to: 1333n, seconds: 1n },
        { from: 1333n, to: 1334n, seconds: 1n },
        { from: 1334n, to: 1334n, seconds: 1n },
      ],
    },
    { why: 'a day up to ten million arrivals', stages: [{ from: 0n, to: 231n, seconds: day }] },
    {
      why: 'a day down to nothing, where the term under the root vanishes',
      stages: [{ from: 231n, to: 0n, seconds: day }],
    },
    { why: 'a day of very nearly constant rate', stages: [{ from: 115n, to: 116n, seconds: day }] },
    { why: 'a day of very nearly constant falling rate', stages: [{ from: 116n, to: 115n, seconds: day }] },
    { why: 'ten million in a hundred seconds', stages: [{ from: 0n, to: 200_000n, seconds: 100n }] },
  ])('$why', ({ stages }) => {
    const pacer = openPacer(
      stages.map(({ from, to, seconds }) => ({
        type: 'rampUsersPerSec',
        from: Number(from),
        to: Number(to),
        duration: `${seconds}s`,
      })),
    )
    const twice = stages.reduce((sum, { from, to, seconds }) => sum + (from + to) * seconds, 0n)
    expect(pacer.total).toBe(Number(twice / 2n))
    // Everything at first and at last, samples between.
    const stride = Math.max(1, Math.floor(pacer.total / 2000))
    const numbers = new Set<number>()
    for (let i = 0; i < 100; i++) numbers.add(i + 1).add(pacer.total - i)
    for (let n = 1; n <= pacer.total; n += stride) numbers.add(n)
    let worst = 0
    for (const n of numbers) worst = Math.max(worst, Math.abs(pacer.dueAt(n) - exactMs(stages, BigInt(n))))
    expect(worst).toBeLessThan(1e-7) // ms; a double near 24 h has steps of 1.5·10⁻⁸ ms
  })

  test('times never go back, at ten million arrivals within a step and across steps', () => {
    const pacer = openPacer([
      { type: 'rampUsersPerSec', from: 0, to: 100_000, duration: '60s' },
      { type: 'heavisideUsers', users: 3_000_000, duration: '10s' },
      { type: 'rampUsersPerSec', from: 100_000, to: 0, duration: '80s' },
    ])
    expect(pacer.total).toBe(10_000_000)
    let before = 0
    let backwards = 0
    for (let n = 1; n <= pacer.total; n++) {
      const due = pacer.dueAt(n)
      if (due < before) backwards++
      before = due
    }
    expect(backwards).toBe(0)
    expect(before).toBe(150_000)
  })
})

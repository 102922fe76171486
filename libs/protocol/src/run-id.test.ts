import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RunId } from './node.ts'
import { makeRunId } from './run-id.ts'

it('says what runs, when, and which of several', () => {
  expect(makeRunId('Log in & buy', new Date('2026-11-20T10:15:30.123Z'), () => 0.5)).toBe(
    'log-in-buy-20261120101530-ssssss',
  )
})

it('is a valid id whatever the name', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (name, random) => RunId.safeParse(makeRunId(name, new Date(), () => random)).success,
    ),
  )
})

import { RunId } from '@onrush/protocol/node'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeRunId } from './run-id.ts'

it('names the run, when it was and which of several', () => {
  expect(makeRunId('Check out!', new Date('2026-01-02T03:04:05.678Z'), () => 0)).toBe('check-out-20260102030405-aaaaaa')
})

it('is always one that the protocol accepts', () => {
  const below1 = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), below1, (name, random) => {
      expect(RunId.safeParse(makeRunId(name, new Date(0), () => random)).success).toBe(true)
    }),
  )
})

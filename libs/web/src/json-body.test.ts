import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isDeeper } from './json-body.ts'

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

it('tells how deep a body is before anything reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, most) => {
      expect(isDeeper(JSON.stringify(value), most)).toBe(depthOf(value) > most)
    }),
  )
  expect(isDeeper('['.repeat(5_000_000), 100)).toBe(true)
  expect(isDeeper(JSON.stringify('[[[["\\'), 0)).toBe(false)
})

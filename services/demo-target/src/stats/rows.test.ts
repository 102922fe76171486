import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Rows } from './rows.ts'

const rowsOf = (values: Iterable<string>) => {
  const rows = new Rows()
  for (const value of values) rows.add(value)
  return rows.toJSON()
}

describe('Rows', () => {
  it('agrees with a plain map, whatever the values', () => {
    const value = fc.oneof(
      fc.nat(60).map(String),
      fc.nat(200_000).map(String),
      fc.constantFrom('07', '-1', '1e3', '134217728', '99999999999', 'ada', ''),
    )
    fc.assert(
      fc.property(fc.array(value, { maxLength: 200 }), values => {
        const counts = new Map<string, number>()
        for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
        const twice = [...counts].filter(([, count]) => count > 1)
        const result = rowsOf(values)
        expect(result.seen).toBe(values.length)
        expect(result.distinct).toBe(counts.size)
        expect(result.repeated).toBe(twice.length)
        expect(new Map(Object.entries(result.repeatedRows))).toEqual(new Map(twice.slice(0, 100)))
      }),
      { numRuns: 200 },
    )
  })

  it('names the numbers that never came between the least and the most', () => {
    expect(rowsOf(['5', '3', '9', '4'])).toMatchObject({ least: 3, most: 9, missing: 3, missingRows: [6, 7, 8] })
  })

  it('counts past what a byte holds', () => {
    for (const times of [254, 255, 256, 1000])
      expect(rowsOf(Array.from({ length: times }, () => '7'))).toMatchObject({
        seen: times,
        distinct: 1,
        repeatedRows: { 7: times },
      })
  })
})

import { expect, it } from 'vitest'
import { faultsIn, placeHref, placeOf } from './place.ts'

it('reads where a fault lies', () => {
  expect(placeOf('team/a.ts:7:12')).toEqual({ file: 'team/a.ts', line: 7 })
  expect(placeOf('a.yaml:3 $.scenarios[0].steps[1]')).toEqual({ file: 'a.yaml', line: 3 })
  expect(placeOf('$.scenarios[0]')).toBeUndefined()
  expect(placeOf('odd name.ts')).toBeUndefined()
})

it('leads to the line, and gathers what is wrong with it', () => {
  expect(placeHref('team/a', 'team/lib/b.ts:7:12')).toBe('#/simulations/team/a?file=team%2Flib%2Fb.ts&line=7')
  expect(placeHref('a', 'a.ts')).toBeUndefined()
  const faults = ['a.ts:1:2', 'b.ts:1:1', 'a.ts:1:9 $.x', 'a.ts'].map(path => ({ path, message: '' }))
  expect([...faultsIn(faults, 'a.ts')]).toEqual([[1, [faults[0], faults[2]]]])
})

import { jsonPath } from '@onrush/protocol/json-path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathSegments, pathsAbove } from './path-segments.ts'

describe('the segments of a path', () => {
  it('is the inverse of writing one', () => {
    const key = fc.oneof(fc.nat(), fc.constantFrom('a', 'log in', "it's", '$.status', '日本', ''))
    fc.assert(
      fc.property(fc.array(key), path => {
        expect(pathSegments(jsonPath(path))).toEqual(path)
      }),
    )
  })

  it('reads double quotes too, and as far as it understands', () => {
    expect(pathSegments('$.thresholds["duration{step:log in}"][0]')).toEqual(['thresholds', 'duration{step:log in}', 0])
    expect(pathSegments('$.body.log in')).toEqual(['body', 'log'])
    expect(pathSegments('scenarios')).toEqual([])
  })

  it('gives what lies around, the innermost first', () => {
    expect(pathsAbove('$.a[0]')).toEqual(['$.a[0]', '$.a', '$'])
  })
})

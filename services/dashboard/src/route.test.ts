import { describe, expect, it } from 'vitest'
import { href, parseRoute } from './route.ts'

describe('an address', () => {
  it('survives the way to text and back, whatever it holds', () => {
    const to = href(['runs', 'a/b ?#%'], { step: 'log in & out', view: undefined })
    const { path, query } = parseRoute(to)
    expect(path).toEqual(['runs', 'a/b ?#%'])
    expect([...query]).toEqual([['step', 'log in & out']])
  })

  it.each([
    ['', []],
    ['#', []],
    ['#/', []],
    ['#/runs/', ['runs']],
    ['#/runs/100%', ['runs', '100%']],
  ])('reads %j as the path %j', (hash, path) => {
    expect(parseRoute(hash).path).toEqual(path)
  })
})

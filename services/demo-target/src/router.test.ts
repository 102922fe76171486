import { describe, expect, it } from 'vitest'
import { Router } from './router.ts'

const router = new Router(['/', '/items', '/items/:id', '/stats/all'].map(template => ({ template, handlers: {} })))

describe('Router', () => {
  it.each([
    ['/', '/', ''],
    ['/items', '/items', ''],
    ['/items/7', '/items/:id', '7'],
    ['/items/a%2Fb', '/items/:id', 'a%2Fb'],
    ['/stats/all', '/stats/all', ''],
  ])('%s is %s', (path, template, param) => {
    expect(router.match(path)).toMatchObject({ route: { template }, param })
  })

  it.each(['', '/item', '/items/', '/items/7/8', '/Items', '/stats', '//items', '*'])('%s is none', path => {
    expect(router.match(path)).toBeUndefined()
  })
})
